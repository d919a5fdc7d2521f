import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { createKeystore, masterKeyId, type MasterKeys } from '../adapters/keystore/local.ts'
import { ensureMasterKeyFile, type MasterKeyFile } from '../adapters/keystore/master-key-file.ts'
import { createVaultByMode } from '../adapters/vault/by-mode.ts'
import { createLocalVault } from '../adapters/vault/local/local.ts'
import { createPkcs11Vault, type Pkcs11Vault } from '../adapters/vault/pkcs11/pkcs11.ts'
import type { Config } from '../config.ts'
import { ensureDataFolder } from '../config/usable-settings.ts'
import type { Clock } from '../ports/clock/clock.ts'
import type { Keystore } from '../ports/keystore/keystore.ts'
import type { Vault } from '../ports/vault/vault.ts'
import { deadlineSignal } from '../lib/deadline.ts'

const tokenDeadlineMs = 10_000

/** The keys that encrypt stored secrets. */
export type Keys = {
  readonly keystore: Keystore
  readonly masterKeys: () => MasterKeys
  /** Undefined if the environment contains the master keys. */
  readonly keyFile: MasterKeyFile | undefined
  /** Must be disposed. */
  readonly vault: Vault
  /** Undefined if the master key encrypts live wallets too. */
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
  // Starts opening the token; the vault logs failures.
  token?.check('live', deadlineSignal(tokenDeadlineMs)).catch(() => {})
  return {
    keystore,
    masterKeys,
    keyFile,
    vault: createVaultByMode({ test: local, live: token ?? local }),
    token,
  }
}

export const openKeystore = (config: Config): Keystore => createKeystore(openMasterKeys(config).masterKeys)

/** The id of the master key that encrypts new secrets. */
export const masterKeyIdOf = (config: Config): string =>
  masterKeyId(openMasterKeys(config).masterKeys().current).toString('hex')

const openMasterKeys = (
  config: Config,
): { masterKeys: () => MasterKeys; keyFile: MasterKeyFile | undefined } => {
  const [current, ...others] = config.masterKeys
  if (current !== undefined) return { masterKeys: () => ({ current, others }), keyFile: undefined }
  ensureDataFolder(config)
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
