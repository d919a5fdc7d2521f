// Runs one measurement in a process of its own and sends its rows as they become known. Started by runner.ts.
import { costOfVerifying } from './measurements/calibration.ts'
import { type Bench, createReport, Skipped } from './measuring.ts'
import type { Row } from './table.ts'

const [measurement = '', module = '', folder = ''] = process.argv.slice(2)

const send = (message: Row | { readonly done: true }): Promise<unknown> =>
  new Promise((resolve) => process.send?.(message, resolve))

/** If the parent is killed, this measurement and its servers end as well. */
process.once('disconnect', () => process.kill(0, 'SIGTERM'))

try {
  const { measure } = (await import(module)) as { measure: (bench: Bench) => Promise<void> }
  const { cpuMicroseconds } = await costOfVerifying(2_000)
  const report = createReport(cpuMicroseconds, (row) => void send({ measurement, ...row }))
  await measure({ folder, report })
} catch (error) {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const isSkipped = error instanceof Skipped
  if (!isSkipped) process.stderr.write(`${stack}\n`)
  const label = `${isSkipped ? 'skipped' : 'failed'}: ${message}`
  await send({ measurement, label, failed: !isSkipped || undefined })
}
await send({ done: true })
process.exit(0)
