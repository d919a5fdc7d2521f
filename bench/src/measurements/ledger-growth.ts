import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Log, openLog } from '../ledger-log.ts'
import { alternate } from '../rounds.ts'
import type { Bench } from '../row.ts'

const [small, large] = [1_000, 1_000_000]
const batched = 1_000
/** A running server knows the hashes above most entries. */
const warmUpRounds = 10

/** The same work on a log with a thousand times the entries, each in a database of its own. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  const fill = async (name: string, entries: number): Promise<Log> => {
    await mkdir(join(folder, name))
    const log = await openLog(join(folder, name))
    for (let count = 0; count < entries; count += batched) await log.appendMany(batched)
    for (let round = 0; round < warmUpRounds; round += 1) await log.prove()
    return log
  }
  await using one = await fill('small', small)
  await using other = await fill('large', large)
  const { rounds, median } = await alternate(
    {
      smallMany: () => one.appendMany(batched),
      largeMany: () => other.appendMany(batched),
      smallOne: one.appendOne,
      largeOne: other.appendOne,
      smallProof: one.prove,
      largeProof: other.prove,
    },
    5,
  )
  const goal = { atMost: 1.3 }
  report.rate(`durable appends, ${batched} at once, at ${small} entries`, median.smallMany)
  report.rate(`… at ${large}`, median.largeMany)
  const many = rounds.map(({ smallMany, largeMany }) => smallMany.perSecond / largeMany.perSecond)
  report.ratio('time of an append, at a million : at a thousand', many, { goal })
  report.value('durable append to an idle log, p50, at a million', median.largeOne.p50Ms, 'ms')
  const single = rounds.map(({ smallOne, largeOne }) => largeOne.p50Ms / smallOne.p50Ms)
  report.ratio('append to an idle log, at a million : at a thousand', single, { goal })
  report.value('inclusion proof found, made and checked, p50, at a million', median.largeProof.p50Ms, 'ms')
  const proofs = rounds.map(({ smallProof, largeProof }) => largeProof.p50Ms / smallProof.p50Ms)
  report.ratio('inclusion proof, at a million : at a thousand', proofs, { goal })
}
