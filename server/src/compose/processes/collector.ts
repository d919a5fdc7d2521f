import type { Worker } from 'node:cluster'
import type { Report, ToPrimary, ToProcess } from './messages.ts'
import { startDeadline } from '../../lib/deadline.ts'

/** A process that does not answer is left out, so that the metrics of the others still show it. */
const deadlineMs = 2_500

/** Asks all processes for their metrics when one of them is asked for those of all. */
export const createCollector = (running: () => readonly Worker[]) => {
  const collecting = new Map<
    number,
    {
      readonly reports: Report[]
      readonly missing: Set<Worker>
      readonly end: () => void
    }
  >()
  let lastId = 0

  const collect = (asker: Worker, asked: number): void => {
    lastId += 1
    const id = lastId
    const reports: Report[] = []
    const end = (): void => {
      deadline[Symbol.dispose]()
      if (!collecting.delete(id)) return
      tell(asker, { kind: 'collected', asked, reports })
    }
    const deadline = startDeadline(deadlineMs, end)
    const asking = running()
    collecting.set(id, { reports, missing: new Set(asking), end })
    for (const worker of asking) tell(worker, { kind: 'report', id })
  }

  return (worker: Worker, message: ToPrimary): void => {
    if (message.kind === 'collect') return collect(worker, message.asked)
    if (message.kind !== 'reported') return
    const found = collecting.get(message.id)
    if (found?.missing.delete(worker) !== true) return
    found.reports.push(message.report)
    if (found.missing.size === 0) found.end()
  }
}

/** A process that ends in this moment does not get it. */
export const tell = (worker: Worker, message: ToProcess): void => {
  if (worker.isConnected()) worker.process.send(message, () => {})
}
