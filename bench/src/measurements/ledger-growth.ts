import { join } from 'node:path'
import { type Log, openLog } from '../ledger-log.ts'
import { alternate, type Bench } from '../measuring.ts'

const [few, many, batched] = [1_000, 1_000_000, 1_000]

/** The same work on a log with a thousand times the entries, each in a database of its own. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  const fill = async (name: string, entries: number): Promise<Log> => {
    const log = await openLog(join(folder, name))
    for (let count = 0; count < entries; count += batched) await log.appendMany(batched)
    // A running server knows the hashes above most entries.
    for (let round = 0; round < 10; round += 1) await log.prove()
    return log
  }
  const measureAll = async (log: Log) => ({
    ...(await log.appendMany(batched)),
    oneMs: (await log.appendOne()).p50Ms,
    proofMs: (await log.prove()).p50Ms,
  })
  await using small = await fill('small', few)
  await using large = await fill('large', many)
  const variants = { small: () => measureAll(small), large: () => measureAll(large) }
  const { medians, ratios } = await alternate(variants, 5)
  report.rate(`durable appends, ${batched} at once, at ${few} entries`, medians.small)
  report.rate(`… at ${many}`, medians.large)
  const goal = { atMost: 1.3 }
  report.ratio('time of an append, at a million : at a thousand', ratios('small', 'large', 'perSecond'), goal)
  report.ratio('append to an idle log, at a million : at a thousand', ratios('large', 'small', 'oneMs'), goal)
  report.ratio('inclusion proof, at a million : at a thousand', ratios('large', 'small', 'proofMs'), goal)
}
