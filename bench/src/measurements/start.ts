import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { countTransactions } from '../../../server/test/transaction-count.ts'
import { descendantsMegabytesOf, residentMegabytesOf } from '../../../server/test/process-usage.ts'
import { type Bench, median, rateOf } from '../measuring.ts'
import { openDatabase, startServer } from '../product.ts'

/** A cold start creates the database cluster and all tables. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  const startOnce = async (name: string): Promise<number> => {
    const startedAt = performance.now()
    await using _server = await startServer(join(folder, name))
    return (performance.now() - startedAt) / 1_000
  }
  // The first one fills the compile cache.
  await startOnce('first')
  const note = 'median of 3'
  const cold = median([await startOnce('a'), await startOnce('b'), await startOnce('c')])
  report.value('cold start: empty folder → /api/ready', cold, 's', { note })
  const warm = median([await startOnce('a'), await startOnce('a'), await startOnce('a')])
  report.value('warm start → /api/ready', warm, 's', { atMost: 3, note })
  await using server = await startServer(join(folder, 'a'))
  await pause(5_000)
  const memory = residentMegabytesOf(server.pid)
  report.value('memory of the idle server process', memory, 'MB', { atMost: 200, note: 'RSS' })
  const database = descendantsMegabytesOf(server.pid)
  report.value('memory of its PostgreSQL', database, 'MB', { note: 'PSS, all its processes' })
  await using own = await openDatabase(join(folder, 'a'))
  // By then schedules are written, and autovacuum, which comes each minute, has looked at what a start writes.
  await pause(100_000)
  const idle = await rateOf(async () => {
    const before = await countTransactions(own)
    await pause(30_000)
    // Two of them are ours.
    return (await countTransactions(own)) - before
  }, server.pid)
  report.rate('transactions of the idle server', idle, { atMost: 5, note: 'in 30 s' })
}
