import { join } from 'node:path'
import { residentMegabytesOf } from '../../../server/test/process-usage.ts'
import type { Bench } from '../measuring.ts'
import { serveLog, startNode } from '../node-log.ts'

const [copied, many] = [20_000, 1_000_000]

/** `millseal node` as a process: it copies a log, and starts with the copy of a large one. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using log = await serveLog()
  await log.fill(copied)
  {
    await using node = await startNode(log.list(), join(folder, 'copy'))
    const before = node.cpuSeconds()
    await node.untilPublished(log.note())
    const cpuMicroseconds = ((node.cpuSeconds() - before) * 1_000_000) / copied
    report.cpu(`copy, check and store an entry, of ${copied}`, { cpuMicroseconds }, 'µs', { atMost: 400 })
  }
  await using large = await serveLog()
  const prepared = join(folder, 'prepared')
  await large.pretend(many, prepared)
  await using node = await startNode(large.list(), prepared)
  await node.untilPublished(large.note())
  const note = 'until the next checkpoint was checked and signed'
  report.value(`start with ${many} entries`, node.ms(), 'ms', { atMost: 2_000, note })
  await using nothing = await serveLog()
  await using empty = await startNode(nothing.list(), join(folder, 'empty'))
  const [full, none] = [residentMegabytesOf(node.pid), residentMegabytesOf(empty.pid)]
  report.value('memory of a node without entries', none, 'MB', { note: 'RSS' })
  report.value(`… more with ${many} entries`, full - none, 'MB', { atMost: 120, note: 'RSS' })
}
