import type { Logger } from 'pino'
import { Secret } from '../../../lib/secret.ts'
import type { Keystore } from '../../../ports/keystore/keystore.ts'
import type { NewRoot, Vault, WalletRoot } from '../../../ports/vault/vault.ts'
import { kindOf, openRoot, wrapperKinds } from '../envelope.ts'
import { masterKeyWrapper } from '../local/local.ts'
import type { Root, WantedRoot } from './protocol.ts'
import { createSigner } from './signer.ts'
import type { TokenSettings } from './token.ts'

export type Pkcs11Vault = Vault & {
  /** The process that holds the roots; undefined while there is none. */
  readonly signerPid: number | undefined
  /** Makes a new key in the token; `rewrap` then moves the roots under it. */
  makeNewKey(): Promise<void>
}

/**
 * Roots under a key that never leaves a PKCS#11 token, used in a process of their own. A root from before there was a
 * token still lies under the master key: it is used from there until `rewrap` takes it over.
 */
export const createPkcs11Vault = ({
  settings,
  log,
  keystore,
  local,
}: {
  readonly settings: TokenSettings
  readonly log: Pick<Logger, 'error'>
  readonly keystore: Keystore
  /** What opens roots under the master key; closed by whoever opened it. */
  readonly local: Vault
}): Pkcs11Vault => {
  const signer = createSigner({ settings, log })
  const isLocal = ({ sealed }: WalletRoot): boolean => kindOf(sealed) === wrapperKinds.masterKey
  return {
    create: async (wanted) => secretly(await signer.call('create', plainly(wanted))),
    recover: async ({ mnemonic, ...wanted }) =>
      secretly(await signer.call('recover', { ...plainly(wanted), mnemonic: mnemonic.reveal() })),
    revealMnemonic: async (root) =>
      isLocal(root) ? local.revealMnemonic(root) : secretly(await signer.call('revealMnemonic', root)),
    withoutMnemonic: async (root) =>
      isLocal(root) ? local.withoutMnemonic(root) : signer.call('withoutMnemonic', root),
    derive: async (root, path) =>
      isLocal(root) ? local.derive(root, path) : signer.call('derive', { root, path }),
    sign: async (root, path, message) =>
      isLocal(root) ? local.sign(root, path, message) : signer.call('sign', { root, path, message }),
    forget(walletId) {
      local.forget(walletId)
      if (signer.pid !== undefined) signer.call('forget', walletId).catch(() => {})
    },
    rewrap: async (root) => {
      if (!isLocal(root)) return signer.call('rewrap', root)
      const { walletId, mode } = root
      return signer.call('adopt', { walletId, mode, contents: openRoot(root, masterKeyWrapper(keystore)) })
    },
    async check(_mode, signal) {
      await signer.call('check', undefined, signal)
    },
    get signerPid() {
      return signer.pid
    },
    async makeNewKey() {
      await signer.call('makeNewKey', undefined)
    },
    [Symbol.asyncDispose]: () => signer[Symbol.asyncDispose](),
  }
}

const plainly = ({ password, ...wanted }: NewRoot): WantedRoot =>
  password === undefined ? wanted : { ...wanted, password: password.reveal() }

const secretly = <R extends Omit<Root, 'sealed'>>({ mnemonic, seed, ...rest }: R) => ({
  ...rest,
  mnemonic: new Secret(mnemonic),
  seed: new Secret(seed),
})
