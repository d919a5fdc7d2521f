import { join } from 'node:path'
import { type Log, openLog } from '../ledger-log.ts'
import { alternate } from '../rounds.ts'
import type { Bench } from '../row.ts'

const [few, many] = [1_000, 1_000_000]
const batched = 1_000

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
  const goal = { atMost: 1.3 }
  report.rate(`durable appends, ${batched} at once, at ${few} entries`, medians.small)
  report.rate(`… at ${many}`, medians.large)
  const appends = ratios((round) => round.small.perSecond / round.large.perSecond)
  report.ratio('time of an append, at a million : at a thousand', appends, { goal })
  const single = ratios((round) => round.large.oneMs / round.small.oneMs)
  report.ratio('append to an idle log, at a million : at a thousand', single, { goal })
  const proofs = ratios((round) => round.large.proofMs / round.small.proofMs)
  report.ratio('inclusion proof, at a million : at a thousand', proofs, { goal })
}
