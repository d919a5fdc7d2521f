import type { SignedTransaction } from '@millseal/proof'
import { openDisk, openDurableDatabase } from '../durable.ts'
import { checkProof, createLedger, makeTransactions, readLedgerKey } from '../ledger-log.ts'
import { alternate, rateOf, repeat } from '../rounds.ts'
import type { Bench } from '../row.ts'

const batched = 1_500
const warmUp = 3
const ms = 900

/** Signatures verified, written to tiles and checkpoint, flushed, indexed and acknowledged. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using database = await openDurableDatabase(folder)
  await using log = createLedger(database, folder)
  await log.start()
  await using disk = await openDisk(folder)
  const recorded: SignedTransaction[] = []
  const appendMany = async () => {
    const transactions = makeTransactions(batched)
    const submit = () => Promise.all(transactions.map((transaction) => log.submit(transaction)))
    const rate = await rateOf(batched, submit)
    recorded.push(...transactions)
    return { ...rate, p50Ms: 0, p99Ms: 0 }
  }
  const spare = makeTransactions(2_000)
  const appendOne = async (): Promise<void> => {
    const transaction = spare.pop()
    if (transaction !== undefined) await log.submit(transaction)
  }
  const pick = (): SignedTransaction => {
    const transaction = recorded[Math.floor(Math.random() * recorded.length)]
    if (transaction === undefined) throw new Error('Nothing is recorded yet')
    return transaction
  }
  const key = await readLedgerKey(log)
  const prove = async (): Promise<void> => {
    const transaction = pick()
    checkProof(transaction, { proof: (await log.prove(transaction.id))?.tlogProof ?? '', key })
  }
  for (let batch = 0; batch < warmUp; batch += 1) await appendMany()
  const { rounds, median } = await alternate({
    many: appendMany,
    disk: () => disk.flush(),
    one: () => repeat(appendOne, { concurrent: 1, ms }),
    proof: () => repeat(prove, { concurrent: 1, ms }),
    find: () => repeat(() => log.find(pick().id), { concurrent: 1, ms: 400 }),
  })
  report.rate(`durable appends, ${batched} at once`, median.many, { goal: { atLeast: 3_000 } })
  report.value('durable append to an idle log, p50', median.one.p50Ms, 'ms', { goal: { atMost: 10 } })
  report.value('… p99', median.one.p99Ms, 'ms')
  report.value('the disk alone: write 8 KiB, fdatasync, p50', median.disk.p50Ms, 'ms')
  const toDisk = rounds.map(({ one, disk: alone }) => one.p50Ms / alone.p50Ms)
  report.ratio('append to an idle log : the disk alone', toDisk)
  report.value('inclusion proof found, made and checked, p50', median.proof.p50Ms, 'ms', {
    goal: { atMost: 1 },
  })
  report.value('entry found by its id, signatures verified, p50', median.find.p50Ms, 'ms')
}
