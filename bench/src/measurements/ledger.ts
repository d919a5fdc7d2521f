import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { SignedTransaction } from '@millseal/proof'
import { openDurableDatabase } from '../embedded-database.ts'
import { checkProof, createLedger, makeTransactions, readLedgerKey } from '../ledger-workbench.ts'
import { repeat, type Repeated } from '../repeat.ts'
import type { Measurement, Row } from '../row.ts'
import { inTurn, medianOf, ratioRow } from '../statistics.ts'

const batched = 1_500
const warmingUp = 3
const ms = 900
const pageBytes = 8_192

/** Verified, written to tiles and checkpoint, flushed, indexed, acknowledged. The disk alone is measured beside it. */
export const ledger: Measurement = {
  name: 'ledger',
  async measure({ folder }) {
    const dataDir = await folder('ledger')
    await using database = await openDurableDatabase(dataDir)
    await using log = createLedger(database, dataDir)
    await log.start()
    await using file = await open(join(dataDir, 'probe'), 'w')
    const page = Buffer.alloc(pageBytes, 1)
    const recorded: SignedTransaction[] = []
    const appendMany = async (): Promise<number> => {
      const transactions = makeTransactions(batched)
      const startedAt = performance.now()
      await Promise.all(transactions.map((transaction) => log.submit(transaction)))
      recorded.push(...transactions)
      return (batched * 1_000) / (performance.now() - startedAt)
    }
    const spare = makeTransactions(2_000)
    const appendOne = async (): Promise<void> => {
      const [transaction = spare[0]] = spare.splice(-1)
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
      const proof = (await log.prove(transaction.id))?.tlogProof ?? ''
      checkProof(transaction, { proof, key })
    }
    for (let batch = 0; batch < warmingUp; batch += 1) await appendMany()
    const rounds = await inTurn({
      many: appendMany,
      disk: () => repeat(() => writePage(file, page), { concurrent: 1, ms: 400 }),
      one: () => repeat(appendOne, { concurrent: 1, ms }),
      proof: () => repeat(prove, { concurrent: 1, ms }),
      find: () => repeat(() => log.find(pick().id), { concurrent: 1, ms: 400 }),
    })
    return rowsOf(rounds)
  },
}

type Round = {
  readonly many: number
  readonly disk: Repeated
  readonly one: Repeated
  readonly proof: Repeated
  readonly find: Repeated
}

const rowsOf = (rounds: readonly Round[]): Row[] => [
  {
    what: `appends, ${batched} at once, durable`,
    value: medianOf(rounds, ({ many }) => many),
    unit: '/s',
    goal: { atLeast: 3_000 },
  },
  {
    what: 'append to an idle log, durable, p50',
    value: medianOf(rounds, ({ one }) => one.p50Ms),
    unit: 'ms',
    goal: { atMost: 10 },
  },
  { what: '… p99', value: medianOf(rounds, ({ one }) => one.p99Ms), unit: 'ms' },
  {
    what: 'the disk alone: write 8 KiB, fdatasync, p50',
    value: medianOf(rounds, ({ disk }) => disk.p50Ms),
    unit: 'ms',
  },
  {
    what: 'proof found, made and checked, p50',
    value: medianOf(rounds, ({ proof }) => proof.p50Ms),
    unit: 'ms',
    goal: { atMost: 1 },
  },
  {
    what: 'entry found by its id, signatures verified, p50',
    value: medianOf(rounds, ({ find }) => find.p50Ms),
    unit: 'ms',
  },
  ratioRow('append to an idle log : the disk alone', rounds, ({ one, disk }) => one.p50Ms / disk.p50Ms),
]

const writePage = async (file: Awaited<ReturnType<typeof open>>, page: Buffer): Promise<void> => {
  await file.write(page, 0, pageBytes, 0)
  await file.datasync()
}
