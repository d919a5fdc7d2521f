import { Secret } from '../../../lib/secret.ts'
import { systemClock } from '../../../ports/clock/clock.ts'
import type { NewRoot, RootWords, Vault } from '../../../ports/vault/vault.ts'
import { type RootContents, encryptRoot } from '../envelope.ts'
import { createSoftwareVault } from '../software-vault.ts'
import { openCryptoki } from './cryptoki.ts'
import {
  type Calls,
  failureOf,
  type FromSigner,
  type Method,
  type Request,
  type ToSigner,
  type WantedRoot,
} from './protocol.ts'
import { openToken, type Token, type TokenSettings } from './token.ts'

/** The only process that uses live roots. If the library of the token crashes, it crashes this process alone. */

type Handlers = { readonly [M in Method]: (given: Calls[M]['given']) => Promise<Calls[M]['answer']> }

const send = (message: FromSigner): void => void process.send?.(message)

const handlersOf = (vault: Vault, token: Token): Handlers => ({
  create: async (given) => plain(await vault.create(wantedOf(given))),
  recover: async (given) =>
    plain(await vault.recover({ ...wantedOf(given), mnemonic: new Secret(given.mnemonic) })),
  revealMnemonic: async (given) => plain(await vault.revealMnemonic(given)),
  withoutMnemonic: (given) => vault.withoutMnemonic(given),
  derive: ({ root, path }) => vault.derive(root, path),
  sign: ({ root, path, message }) => vault.sign(root, path, message),
  adopt: async ({ contents, ...place }) => encryptRoot(asBuffers(contents), place, token),
  reEncrypt: (given) => vault.reEncrypt(given),
  signDigest: async (given) => token.signDigest(given),
  async forget(given) {
    vault.forget(given)
    return undefined
  },
  async check() {
    token.check()
    return undefined
  },
  async makeNewKey() {
    token.makeNewKey()
    return undefined
  },
})

const wantedOf = ({ password, ...wanted }: WantedRoot): NewRoot => ({
  ...wanted,
  password: password === undefined ? undefined : new Secret(password),
})

const plain = <T extends RootWords>({ mnemonic, seed, ...rest }: T) => ({
  ...rest,
  mnemonic: mnemonic.reveal(),
  seed: seed.reveal(),
})

/** The pipe turns buffers into plain byte arrays. */
const asBuffers = ({ seed, words }: RootContents): RootContents => ({
  seed: Buffer.from(seed),
  words: words && { ...words, entropy: Buffer.from(words.entropy) },
})

const open = async (settings: TokenSettings): Promise<Handlers> => {
  const token = openToken(await openCryptoki(settings.module), settings)
  return handlersOf(createSoftwareVault({ wrapper: token, clock: systemClock, check: token.check }), token)
}

const answer = async (handlers: Handlers, { id, method, given }: Request): Promise<void> => {
  try {
    const handler = handlers[method] as (given: unknown) => Promise<unknown>
    send({ id, answer: await handler(given) })
  } catch (error) {
    send({ id, failure: failureOf(error) })
  }
}

let opened: Promise<Handlers> | undefined

process.on('message', (message: ToSigner) => {
  if ('open' in message) {
    opened = open(message.open)
    opened.then(
      () => send({ opened: true }),
      (error: unknown) => send({ refused: failureOf(error) }),
    )
    return
  }
  void opened?.then((handlers) => answer(handlers, message))
})
// Ends with the server, which still answers calls for a while after a signal.
process.on('disconnect', () => process.exit())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
