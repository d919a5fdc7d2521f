// Runs one measurement in a process of its own and sends its rows as they become known. Started by runner.ts.
import { costOfVerifying } from './measurements/calibration.ts'
import { median } from './rounds.ts'
import { type Bench, type Report, type Row, Skipped } from './row.ts'

const [measurement = '', module = '', folder = ''] = process.argv.slice(2)

const send = (message: Row | { readonly done: true }): Promise<unknown> =>
  new Promise((resolve) => process.send?.(message, resolve))

const reportTo = (oneVerify: number): Report => {
  // Where there is no /proc, nothing is known of processor time and memory.
  const known = (number: number) => (Number.isNaN(number) ? undefined : number)
  const put = (label: string, number: number, more: Partial<Row>, cpuMicroseconds = Number.NaN): void => {
    const [cpuPerUnit, normalised] = [known(cpuMicroseconds), known(cpuMicroseconds / oneVerify)]
    void send({ measurement, label, value: known(number), cpuPerUnit, normalised, ...more })
  }
  return {
    value: (label, number, unit, more) => put(label, number, { unit, ...more }),
    rate: (label, { perSecond, cpuMicroseconds }, more) =>
      put(label, perSecond, { unit: '/s', ...more }, cpuMicroseconds),
    cpu: (label, { cpuMicroseconds: cost }, unit, more) =>
      put(label, unit === 'ms' ? cost / 1_000 : cost, { unit, ...more }, cost),
    latency: (label, { p50Ms, p99Ms, cpuMicroseconds }, { p50, p99, note } = {}) => {
      const goal = (atMost?: number) => (atMost === undefined ? undefined : { atMost })
      put(`${label}, p50`, p50Ms, { unit: 'ms', goal: goal(p50), note }, cpuMicroseconds)
      put('… p99', p99Ms, { unit: 'ms', goal: goal(p99) })
    },
    ratio: (label, ratios, more) => {
      const note = `rounds ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
      put(label, median(ratios), { unit: '×', note, ...more })
    },
  }
}

/** If the parent is killed, this measurement and its servers end as well. */
process.once('disconnect', () => process.kill(0, 'SIGTERM'))

try {
  const { measure } = (await import(module)) as { measure: (bench: Bench) => Promise<void> }
  await measure({ folder, report: reportTo((await costOfVerifying(2_000)).cpuMicroseconds) })
} catch (error) {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const isSkipped = error instanceof Skipped
  if (!isSkipped) process.stderr.write(`${stack}\n`)
  const label = `${isSkipped ? 'skipped' : 'failed'}: ${message}`
  await send({ measurement, label, ...(isSkipped ? {} : { failed: true }) })
}
await send({ done: true })
process.exit(0)
