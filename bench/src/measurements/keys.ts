import { createPrivateKey, generateKeyPairSync, pbkdf2Sync, randomBytes, sign } from 'node:crypto'
import { createLocalKeystore } from '../../../server/src/adapters/keystore/local.ts'
import { createLocalVault } from '../../../server/src/adapters/vault/local/local.ts'
import { seedOf } from '../../../server/src/lib/key-derivation/mnemonic.ts'
import { Secret } from '../../../server/src/lib/secret.ts'
import { uuidv7 } from '../../../server/src/lib/uuid.ts'
import { systemClock } from '../../../server/src/ports/clock/clock.ts'
import type { Vault, WalletRoot } from '../../../server/src/ports/vault/vault.ts'
import type { Measurement } from '../row.ts'
import { inTurn, medianOf } from '../statistics.ts'

const times = 1_000
const path = { coinType: 822, account: 0, change: 0, index: 0 }
const message = randomBytes(32)

/**
 * What using a key costs with the root unsealed, against a bare signature, and what stretching a mnemonic leaves to the
 * thread that answers requests. In processor time of that thread: others that run meanwhile count
 * for nothing.
 */
export const keys: Measurement = {
  name: 'keys',
  async measure() {
    await using vault = createLocalVault({
      keystore: createLocalKeystore(new Secret(randomBytes(32))),
      clock: systemClock,
    })
    const root = await newRoot(vault)
    const key = createPrivateKey(
      generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }),
    )
    const rounds = await inTurn({
      bare: () => cost(times, async () => sign(null, message, key)),
      derive: () => cost(times, () => vault.derive(root, path)),
      sign: () => cost(times, () => vault.sign(root, path, message)),
      unseal: () =>
        cost(times, async () => {
          vault.forget(root.walletId)
          await vault.sign(root, path, message)
        }),
      seed: () => cost(stretches, () => seedOf('words')),
      stretch: () => cost(stretches, async () => pbkdf2Sync('words', 'mnemonic', 2_048, 64, 'sha512')),
    })
    const costOf = (name: keyof (typeof rounds)[number]) => medianOf(rounds, (round) => round[name])
    return [
      { what: 'sign, root unsealed', value: costOf('sign'), unit: 'ms', goal: { atMost: 0.2 } },
      {
        what: 'derive a public key, root unsealed',
        value: costOf('derive'),
        unit: 'ms',
        goal: { atMost: 0.2 },
      },
      { what: 'sign, root sealed', value: costOf('unseal'), unit: 'ms' },
      {
        what: 'sign, ours : bare Ed25519',
        value: medianOf(rounds, (round) => round.sign / round.bare),
        unit: '×',
      },
      {
        what: 'stretching a mnemonic, ours : on this thread',
        value: medianOf(rounds, ({ seed, stretch }) => seed / stretch),
        unit: '×',
      },
    ]
  },
}

const newRoot = async (vault: Vault): Promise<WalletRoot> => {
  const place = { walletId: uuidv7(Date.now()), mode: 'test' } as const
  const { sealed } = await vault.create({ ...place, language: 'english' })
  return { ...place, sealed }
}

const stretches = 200

/** Processor time of this thread, in milliseconds a call. */
const cost = async (count: number, work: () => Promise<unknown>): Promise<number> => {
  const before = process.threadCpuUsage()
  for (let time = 0; time < count; time += 1) await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000 / count
}
