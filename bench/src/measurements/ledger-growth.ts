import { join } from 'node:path'
import { makeTransactions, openSeededLog, type SeededLog } from '../ledger-log.ts'
import { alternate, rateOf, repeat } from '../rounds.ts'
import type { Bench } from '../row.ts'

const [small, large] = [1_000, 1_000_000]
const batched = 1_024
const ms = 700
/** A running server knows the hashes above most entries. */
const warmUpProofs = 15_000
/** PostgreSQL writes a page whole at its first change after a checkpoint. */
const warmUpBatches = 16

/** The same work on a log with a thousand times the entries, each in a database of its own. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using one = await openSeededLog(join(folder, 'small'), small)
  await using other = await openSeededLog(join(folder, 'large'), large)
  for (let batch = 0; batch < warmUpBatches; batch += 1) await appendMany(other)
  for (const log of [one, other]) for (let proof = 0; proof < warmUpProofs; proof += 1) await proveAny(log)
  const prove = (log: SeededLog) => repeat(() => proveAny(log), { concurrent: 1, ms })
  const { rounds, median } = await alternate(
    {
      smallMany: () => appendMany(one),
      largeMany: () => appendMany(other),
      smallOne: () => appendOne(one),
      largeOne: () => appendOne(other),
      smallProof: () => prove(one),
      largeProof: () => prove(other),
    },
    5,
  )
  const goal = { atMost: 1.3 }
  report.rate(`appends without signature checks, ${batched} at once, at ${small} entries`, median.smallMany)
  report.rate(`… at ${large}`, median.largeMany)
  const many = rounds.map(({ smallMany, largeMany }) => smallMany.perSecond / largeMany.perSecond)
  report.ratio('time of an append, at a million : at a thousand', many, { goal })
  report.value('append to an idle log, p50, at a million', median.largeOne.p50Ms, 'ms')
  const single = rounds.map(({ smallOne, largeOne }) => largeOne.p50Ms / smallOne.p50Ms)
  report.ratio('append to an idle log, at a million : at a thousand', single, { goal })
  report.value('inclusion proof, p50, at a million', median.largeProof.p50Ms, 'ms')
  const proofs = rounds.map(({ smallProof, largeProof }) => largeProof.p50Ms / smallProof.p50Ms)
  report.ratio('inclusion proof, at a million : at a thousand', proofs, { goal })
}

const appendMany = async ({ batches }: SeededLog) => {
  const transactions = makeTransactions(batched)
  const submit = () => Promise.all(transactions.map((transaction) => batches.submit(transaction)))
  return { ...(await rateOf(batched, submit)), p50Ms: 0, p99Ms: 0 }
}

const appendOne = ({ batches }: SeededLog) => {
  const spare = makeTransactions(400)
  const work = async (): Promise<void> => {
    const transaction = spare.pop()
    if (transaction !== undefined) await batches.submit(transaction)
  }
  return repeat(work, { concurrent: 1, ms })
}

const proveAny = async ({ reading, pickId }: SeededLog): Promise<void> => {
  const id = pickId()
  if ((await reading.prove(id)) === undefined) throw new Error(`There is no proof of ${id}`)
}
