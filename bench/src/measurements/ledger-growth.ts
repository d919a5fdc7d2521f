import { makeTransactions } from '../ledger-workbench.ts'
import { repeat } from '../repeat.ts'
import type { Measurement, Row } from '../row.ts'
import { openSeededLog, type SeededLog } from '../seeded-log.ts'
import { inTurn, medianOf, ratioRow } from '../statistics.ts'

const small = 1_000
const large = 1_000_000
const batched = 1_024
const ms = 700
/** A server that runs knows the hashes above most entries. */
const warmingUp = 15_000
const settling = 16

/** What a log costs that has a thousand times the entries, each in a database of its own, in turn. */
export const ledgerGrowth: Measurement = {
  name: 'ledger-growth',
  deadlineMs: 420_000,
  async measure({ folder, say }) {
    await using one = await openSeededLog(await folder('small-log'), small)
    say(`filling a log with ${large} entries, which takes minutes`)
    await using other = await openSeededLog(await folder('large-log'), large)
    // PostgreSQL writes a page whole at its first change after a checkpoint, and in a large index each entry has its own.
    for (let batch = 0; batch < settling; batch += 1) await appendMany(other)
    for (const log of [one, other]) for (let proof = 0; proof < warmingUp; proof += 1) await proveAny(log)
    const rounds = await inTurn(
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
    return rowsOf(rounds)
  },
}

type Round = Readonly<
  Record<'smallMany' | 'largeMany' | 'smallOne' | 'largeOne' | 'smallProof' | 'largeProof', number>
>

const growthRow = (what: string, rounds: readonly Round[], ratioOf: (round: Round) => number): Row => ({
  ...ratioRow(what, rounds, ratioOf),
  goal: { atMost: 1.3 },
})

const rowsOf = (rounds: readonly Round[]): Row[] => [
  {
    what: `appends, ${batched} at once, at ${small} entries`,
    value: medianOf(rounds, ({ smallMany }) => smallMany),
    unit: '/s',
  },
  { what: `… at ${large}`, value: medianOf(rounds, ({ largeMany }) => largeMany), unit: '/s' },
  growthRow(
    'time of an append, at a million : at a thousand',
    rounds,
    (round) => round.smallMany / round.largeMany,
  ),
  {
    what: 'append to an idle log, p50, at a million',
    value: medianOf(rounds, ({ largeOne }) => largeOne),
    unit: 'ms',
  },
  growthRow(
    'append to an idle log, at a million : at a thousand',
    rounds,
    (round) => round.largeOne / round.smallOne,
  ),
  {
    what: 'proof, p50, at a million',
    value: medianOf(rounds, ({ largeProof }) => largeProof),
    unit: 'ms',
  },
  growthRow('proof, at a million : at a thousand', rounds, (round) => round.largeProof / round.smallProof),
]

const appendMany = async ({ batches }: SeededLog): Promise<number> => {
  const transactions = makeTransactions(batched)
  const startedAt = performance.now()
  await Promise.all(transactions.map((transaction) => batches.submit(transaction)))
  return (batched * 1_000) / (performance.now() - startedAt)
}

const appendOne = async ({ batches }: SeededLog): Promise<number> => {
  const spare = makeTransactions(400)
  const work = async (): Promise<void> => {
    const transaction = spare.pop()
    if (transaction !== undefined) await batches.submit(transaction)
  }
  return (await repeat(work, { concurrent: 1, ms })).p50Ms
}

const prove = async (log: SeededLog): Promise<number> =>
  (await repeat(() => proveAny(log), { concurrent: 1, ms })).p50Ms

const proveAny = async ({ reading, pickId }: SeededLog): Promise<void> => {
  const id = pickId()
  if ((await reading.prove(id)) === undefined) throw new Error(`${id} is not there`)
}
