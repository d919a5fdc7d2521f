import type { Logger } from 'pino'
import { Secret } from '../../../lib/secret.ts'
import type { Keystore } from '../../../ports/keystore/keystore.ts'
import type { NewRoot, Vault, WalletRoot } from '../../../ports/vault/vault.ts'
import { kindOf, decryptRoot, wrapperKinds } from '../envelope.ts'
import { masterKeyWrapper } from '../local/local.ts'
import type { Root, WantedRoot } from './protocol.ts'
import type { TokenSignature } from './sign-digest.ts'
import { createSigner } from './signer.ts'
import type { TokenSettings } from './token.ts'

export type Pkcs11Vault = Vault & {
  /** The signer process; undefined if it is not running. */
  readonly signerPid: number | undefined
  /** Creates a new key in the token; `reEncrypt` then re-encrypts the roots with it. */
  makeNewKey(): Promise<void>
  /** PKCS #1 v1.5, or ECDSA as a sequence of two integers. Throws `VaultUnavailable`, also if the token lacks the key. */
  signDigest(wanted: TokenSignature): Promise<Uint8Array>
}

/**
 * Encrypts roots with a key that never leaves a PKCS#11 token, and uses them in a separate process. Older roots stay
 * encrypted with the master key, and the local vault uses them, until `reEncrypt` re-encrypts them.
 */
export const createPkcs11Vault = ({
  settings,
  log,
  keystore,
  local,
}: {
  readonly settings: TokenSettings
  readonly log: Logger
  readonly keystore: Keystore
  /** For roots that are encrypted with the master key. The caller closes it. */
  readonly local: Vault
}): Pkcs11Vault => {
  const signer = createSigner({ settings, log })
  const isLocal = ({ encrypted }: WalletRoot): boolean => kindOf(encrypted) === wrapperKinds.masterKey
  return {
    create: async (wanted) => withSecrets(await signer.call('create', withoutSecrets(wanted))),
    recover: async ({ mnemonic, ...wanted }) =>
      withSecrets(await signer.call('recover', { ...withoutSecrets(wanted), mnemonic: mnemonic.reveal() })),
    revealMnemonic: async (root) =>
      isLocal(root) ? local.revealMnemonic(root) : withSecrets(await signer.call('revealMnemonic', root)),
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
    reEncrypt: async (root) => {
      if (!isLocal(root)) return signer.call('reEncrypt', root)
      const { walletId, mode } = root
      return signer.call('adopt', { walletId, mode, contents: decryptRoot(root, masterKeyWrapper(keystore)) })
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
    signDigest: (wanted) => signer.call('signDigest', wanted),
    [Symbol.asyncDispose]: () => signer[Symbol.asyncDispose](),
  }
}

const withoutSecrets = ({ password, ...wanted }: NewRoot): WantedRoot => ({
  ...wanted,
  password: password?.reveal(),
})

const withSecrets = <R extends Omit<Root, 'encrypted'>>({ mnemonic, seed, ...rest }: R) => ({
  ...rest,
  mnemonic: new Secret(mnemonic),
  seed: new Secret(seed),
})
