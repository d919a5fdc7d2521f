import { setTimeout as pause } from 'node:timers/promises'
import { descendantsMegabytesOf, residentMegabytesOf } from '../processes.ts'
import type { Measurement, Row } from '../row.ts'
import { startServer } from '../server-process.ts'
import { median } from '../statistics.ts'

const colds = 2
const warms = 5
const idleMs = 5_000

/** Cold is the first start in an empty folder: it makes a database cluster and all tables. */
export const start: Measurement = {
  name: 'start',
  async measure({ folder }) {
    const cold = []
    let dataDir = ''
    for (let count = 0; count < colds; count += 1) {
      dataDir = await folder('start')
      cold.push(await startOnce(dataDir))
    }
    const warm = []
    for (let count = 0; count < warms; count += 1) warm.push(await startOnce(dataDir))
    return [
      {
        what: 'cold: empty folder → /api/ready',
        value: median(cold) / 1_000,
        unit: 's',
        note: `mean of ${colds}`,
      },
      {
        what: 'warm → /api/ready',
        value: median(warm) / 1_000,
        unit: 's',
        goal: { atMost: 3 },
        note: `median of ${warms}`,
      },
      ...(await measureMemory(dataDir)),
    ]
  },
}

const startOnce = async (dataDir: string): Promise<number> => {
  await using server = await startServer(dataDir)
  return server.readyMs
}

const measureMemory = async (dataDir: string): Promise<Row[]> => {
  await using server = await startServer(dataDir)
  await pause(idleMs)
  const resident = residentMegabytesOf(server.pid)
  const database = descendantsMegabytesOf(server.pid)
  return [
    ...memoryRow('memory of the server process, idle', resident, { goal: { atMost: 200 }, note: 'RSS' }),
    ...memoryRow('memory of its PostgreSQL, idle', database, { note: 'PSS, all its processes' }),
  ]
}

const memoryRow = (what: string, value: number | undefined, more: Pick<Row, 'goal' | 'note'>): Row[] =>
  value === undefined ? [] : [{ what, value, unit: 'MB', ...more }]
