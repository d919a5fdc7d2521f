import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../../server/src/ports/database/database.ts'
import { countTransactions } from '../../../server/test/transaction-count.ts'
import { descendantsMegabytesOf, residentMegabytesOf } from '../../../server/test/process-usage.ts'
import { attachDatabase, startServer } from '../product.ts'
import { median, rateOf } from '../rounds.ts'
import type { Bench } from '../row.ts'

/** A cold start creates the database cluster and all tables. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  const startOnce = async (name: string): Promise<number> => {
    await using server = await startServer(join(folder, name))
    return server.readyMs / 1_000
  }
  // The first one fills the compile cache.
  await startOnce('first')
  const note = 'median of 3'
  const cold = median([await startOnce('a'), await startOnce('b'), await startOnce('c')])
  report.value('cold start: empty folder → /api/ready', cold, 's', { note })
  const warm = median([await startOnce('a'), await startOnce('a'), await startOnce('a')])
  report.value('warm start → /api/ready', warm, 's', { goal: { atMost: 3 }, note })
  await using server = await startServer(join(folder, 'a'))
  await pause(5_000)
  const memory = residentMegabytesOf(server.pid)
  report.value('memory of the idle server process', memory, 'MB', { goal: { atMost: 200 }, note: 'RSS' })
  const database = descendantsMegabytesOf(server.pid)
  report.value('memory of its PostgreSQL', database, 'MB', { note: 'PSS, all its processes' })
  await using own = await attachDatabase(join(folder, 'a'))
  // By then schedules are written, and autovacuum, which comes each minute, has looked at what a start writes.
  await pause(100_000)
  const idle = await rateOf(() => transactionsOf(own), server.pid)
  report.rate('transactions of the idle server', idle, {
    goal: { atMost: 5 },
    note: `in ${idleMs / 1_000} s`,
  })
}

const idleMs = 30_000

/** Two of them are ours. */
const transactionsOf = async (database: Database): Promise<number> => {
  const before = await countTransactions(database)
  await pause(idleMs)
  return (await countTransactions(database)) - before
}
