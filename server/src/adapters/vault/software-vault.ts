import { randomBytes, sign } from 'node:crypto'
import { entropyOf, seedOf, wordsOf } from '../../lib/key-derivation/mnemonic.ts'
import { descend, masterNode, publicKeyOf, signingKeyOf } from '../../lib/key-derivation/slip-0010.ts'
import { Secret } from '../../lib/secret.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import {
  type KeyPath,
  MnemonicGone,
  MnemonicInvalid,
  type NewRoot,
  type Vault,
  type WalletRoot,
} from '../../ports/vault/vault.ts'
import { isCurrentRoot, type KeyWrapper, decryptRoot, type RootContents, encryptRoot } from './envelope.ts'
import { rememberDecrypted } from './decrypted-roots.ts'

const entropyBytes = 32
const rememberedSeconds = 60
const rememberedRoots = 256

/** BIP-44 */
const purpose = 44

/** Derives and signs in this process. Stored roots are encrypted with the keys of `wrapper`. */
export const createSoftwareVault = ({
  wrapper,
  clock,
  check,
}: {
  readonly wrapper: KeyWrapper
  readonly clock: Clock
  readonly check: () => void
}): Vault => {
  const decrypted = rememberDecrypted({ clock, seconds: rememberedSeconds, maxRoots: rememberedRoots })
  const nodeAt = (root: WalletRoot, { coinType, account, change, index }: KeyPath): Buffer => {
    const branch = [purpose, coinType, account, change]
    return descend(
      decrypted.nodeOf(root, branch, () => masterOf(root, wrapper)),
      [index],
    )
  }
  return {
    async create(wanted) {
      const entropy = randomBytes(entropyBytes)
      const words = { entropy, language: wanted.language }
      return rootOf({ wanted, mnemonic: wordsOf(entropy, wanted.language), words }, wrapper)
    },
    recover: async (wanted) => rootOf({ wanted, mnemonic: canonicalWords(wanted) }, wrapper),
    async revealMnemonic(root) {
      const { seed, words } = decryptRoot(root, wrapper)
      if (words === undefined)
        throw new MnemonicGone('The mnemonic of this wallet was deleted after its backup')
      return { seed: new Secret(seed), mnemonic: new Secret(wordsOf(words.entropy, words.language)) }
    },
    async withoutMnemonic(root) {
      return consume(decryptRoot(root, wrapper), ({ seed }) => encryptRoot({ seed }, root, wrapper))
    },
    async derive(root, path) {
      return once(nodeAt(root, path), publicKeyOf)
    },
    async sign(root, path, message) {
      return once(nodeAt(root, path), (node) => sign(null, message, signingKeyOf(node)))
    },
    forget: decrypted.forget,
    async reEncrypt(root) {
      if (isCurrentRoot(root.encrypted, wrapper)) return undefined
      return consume(decryptRoot(root, wrapper), (contents) => encryptRoot(contents, root, wrapper))
    },
    async check() {
      check()
    },
    async [Symbol.asyncDispose]() {
      decrypted[Symbol.dispose]()
    },
  }
}

type Given = {
  readonly wanted: NewRoot
  readonly mnemonic: string
  /** Stored with the seed until the backup. */
  readonly words?: NonNullable<RootContents['words']>
}

const rootOf = async ({ wanted, mnemonic, words }: Given, wrapper: KeyWrapper) => {
  const seed = await seedOf(mnemonic, wanted.password?.reveal())
  const encrypted = encryptRoot({ seed, words }, wanted, wrapper)
  words?.entropy.fill(0)
  return { encrypted, mnemonic: new Secret(mnemonic), seed: new Secret(seed) }
}

const masterOf = (root: WalletRoot, wrapper: KeyWrapper): Buffer =>
  consume(decryptRoot(root, wrapper), ({ seed }) => masterNode(seed))

const consume = <T>(contents: RootContents, use: (contents: RootContents) => T): T => {
  try {
    return use(contents)
  } finally {
    contents.seed.fill(0)
    contents.words?.entropy.fill(0)
  }
}

const once = <T>(node: Buffer, use: (node: Buffer) => T): T => {
  try {
    return use(node)
  } finally {
    node.fill(0)
  }
}

/** The mnemonic as the word list writes it, without regard to spaces, capitals and Unicode form. */
const canonicalWords = ({ mnemonic, language }: NewRoot & { readonly mnemonic: Secret }): string => {
  const entropy = entropyOf(mnemonic.reveal(), language)
  if (entropy === undefined) throw new MnemonicInvalid(`Not a mnemonic of the word list ${language}`)
  return once(Buffer.from(entropy), (bytes) => wordsOf(bytes, language))
}
