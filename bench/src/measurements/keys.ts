import { pbkdf2Sync, randomBytes } from 'node:crypto'
import { createLocalKeystore } from '../../../server/src/adapters/keystore/local.ts'
import { createLocalVault } from '../../../server/src/adapters/vault/local/local.ts'
import { seedOf } from '../../../server/src/lib/key-derivation/mnemonic.ts'
import { Secret } from '../../../server/src/lib/secret.ts'
import { uuidv7 } from '../../../server/src/lib/uuid.ts'
import { systemClock } from '../../../server/src/ports/clock/clock.ts'
import { alternate, costOf } from '../rounds.ts'
import type { Bench } from '../row.ts'

const [times, stretches] = [1_000, 200]
const path = { coinType: 822, account: 0, change: 0, index: 0 }
const message = randomBytes(32)

/** Processor time of the thread that answers requests; no database. */
export const measure = async ({ report }: Bench): Promise<void> => {
  const keystore = createLocalKeystore(new Secret(randomBytes(32)))
  await using vault = createLocalVault({ keystore, clock: systemClock })
  const place = { walletId: uuidv7(Date.now()), mode: 'test' } as const
  const { encrypted } = await vault.create({ ...place, language: 'english' })
  const root = { ...place, encrypted }
  const signDecrypting = (): Promise<unknown> => {
    vault.forget(root.walletId)
    return vault.sign(root, path, message)
  }
  const cost = (count: number, work: () => unknown) => costOf(count, work, process.threadCpuUsage)
  const { medians, ratios } = await alternate({
    derive: () => cost(times, () => vault.derive(root, path)),
    sign: () => cost(times, () => vault.sign(root, path, message)),
    decrypt: () => cost(times, signDecrypting),
    seed: () => cost(stretches, () => seedOf('words')),
    stretch: () => cost(stretches, () => pbkdf2Sync('words', 'mnemonic', 2_048, 64, 'sha512')),
  })
  const goal = { atMost: 0.2 }
  report.cpu('sign, wallet decrypted before', medians.sign, 'ms', { goal })
  report.cpu('derive a public key, wallet decrypted before', medians.derive, 'ms', { goal })
  report.cpu('sign, with decrypting the wallet', medians.decrypt, 'ms')
  const toThread = ratios((round) => round.seed.cpuMicroseconds / round.stretch.cpuMicroseconds)
  report.ratio('stretching a mnemonic, ours : all on this thread', toThread)
}
