import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { createKeystore, masterKeyId, type MasterKeys } from '../adapters/keystore/local.ts'
import { ensureMasterKeyFile, type MasterKeyFile } from '../adapters/keystore/master-key-file.ts'
import { createVaultByMode } from '../adapters/vault/by-mode.ts'
import { createLocalVault } from '../adapters/vault/local/local.ts'
import { createPkcs11Vault, type Pkcs11Vault } from '../adapters/vault/pkcs11/pkcs11.ts'
import type { Config } from '../config.ts'
import { Secret } from '../lib/secret.ts'
import type { Clock } from '../ports/clock/clock.ts'
import type { Keystore } from '../ports/keystore/keystore.ts'
import type { Vault } from '../ports/vault/vault.ts'

const tokenDeadlineMs = 10_000

/** All that secrets at rest lie under. */
export type Keys = {
  readonly keystore: Keystore
  readonly masterKeys: () => MasterKeys
  /** None where the master keys are given in the environment. */
  readonly keyFile: MasterKeyFile | undefined
  /** The roots of wallets; to be closed. */
  readonly vault: Vault
  /** None where live roots lie under the master key too. */
  readonly token: Pkcs11Vault | undefined
}

export const openKeys = (
  config: Config,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Keys => {
  const { masterKeys, keyFile } = openMasterKeys(config)
  const keystore = createKeystore(masterKeys)
  const local = createLocalVault({ keystore, clock })
  const token = openToken(config, { log, keystore, local })
  // It opens meanwhile; where it does not, it writes why to the log.
  token?.check('live', AbortSignal.timeout(tokenDeadlineMs)).catch(() => {})
  return {
    keystore,
    masterKeys,
    keyFile,
    vault: createVaultByMode({ test: local, live: token ?? local }),
    token,
  }
}

export const openKeystore = (config: Config): Keystore => createKeystore(openMasterKeys(config).masterKeys)

/** Of the key that new secrets are sealed with. */
export const sealingKeyId = (config: Config): string =>
  masterKeyId(openMasterKeys(config).masterKeys().sealing).toString('hex')

const openMasterKeys = (config: Config): Pick<Keys, 'masterKeys' | 'keyFile'> => {
  const [sealing, ...others] = config.masterKeys.map((key) => new Secret(Buffer.from(key, 'base64')))
  if (sealing !== undefined) return { masterKeys: () => ({ sealing, others }), keyFile: undefined }
  const keyFile = ensureMasterKeyFile(resolve(config.dataDir))
  return { masterKeys: keyFile.read, keyFile }
}

const openToken = (
  { pkcs11Module, pkcs11Token, pkcs11Pin, pkcs11KeyLabel }: Config,
  parts: { readonly log: Logger; readonly keystore: Keystore; readonly local: Vault },
): Pkcs11Vault | undefined =>
  pkcs11Module === undefined || pkcs11Pin === undefined
    ? undefined
    : createPkcs11Vault({
        ...parts,
        settings: {
          module: pkcs11Module,
          token: pkcs11Token,
          pin: pkcs11Pin,
          keyLabel: pkcs11KeyLabel,
        },
      })
