import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { descendantsMegabytesOf, residentMegabytesOf } from '../processes.ts'
import { startServer } from '../product.ts'
import type { Bench } from '../row.ts'
import { median } from '../statistics.ts'

const idleMs = 5_000

/** A cold start creates the database cluster and all tables. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  const startOnce = async (name: string): Promise<number> => {
    await mkdir(join(folder, name), { recursive: true })
    await using server = await startServer(join(folder, name))
    return server.readyMs / 1_000
  }
  // The first one fills the compile cache.
  await startOnce('first')
  const cold = [await startOnce('one'), await startOnce('other')]
  report.value('cold start: empty folder → /api/ready', median(cold), 's', { note: 'mean of 2' })
  const warm = [await startOnce('one'), await startOnce('one'), await startOnce('one')]
  const goal = { atMost: 3 }
  report.value('warm start → /api/ready', median(warm), 's', { goal, note: 'median of 3' })
  await using server = await startServer(join(folder, 'one'))
  await pause(idleMs)
  report.value('memory of the idle server process', residentMegabytesOf(server.pid), 'MB', {
    goal: { atMost: 200 },
    note: 'RSS',
  })
  const database = descendantsMegabytesOf(server.pid)
  report.value('memory of its PostgreSQL', database, 'MB', { note: 'PSS, all its processes' })
}
