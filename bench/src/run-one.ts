// Runs one measurement in a process of its own and sends its rows as they become known. Started by runner.ts.
import { verifyMicroseconds } from './measurements/calibration.ts'
import type { Bench, Report, Row } from './row.ts'
import { median } from './statistics.ts'

const calibrationMs = 200
const [measurement = '', module = '', folder = ''] = process.argv.slice(2)

const send = (row: Row): void => void process.send?.(row)

const reportTo = (oneVerify: number): Report => {
  const put = (row: Omit<Row, 'measurement' | 'normalised'>): void => {
    const { cpuPerUnit } = row
    send({ ...row, measurement, normalised: cpuPerUnit === undefined ? undefined : cpuPerUnit / oneVerify })
  }
  // Where there is no /proc, nothing is known of processor time and memory.
  const known = (number: number | undefined) => (Number.isNaN(number) ? undefined : number)
  return {
    value: (label, value, unit, more) => put({ label, value: known(value), unit, ...more }),
    rate: (label, { perSecond, cpuMicroseconds }, more) =>
      put({ label, value: perSecond, unit: '/s', cpuPerUnit: known(cpuMicroseconds), ...more }),
    cpu: (label, microseconds, unit, more) => {
      const value = known(unit === 'ms' ? microseconds / 1_000 : microseconds)
      put({ label, value, unit, cpuPerUnit: known(microseconds), ...more })
    },
    ratio: (label, ratios, more) => {
      const range = `rounds ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
      put({ label, value: median(ratios), unit: '×', note: range, ...more })
    },
    skip: (reason) => put({ label: `skipped: ${reason}` }),
  }
}

/** If the parent is killed, this measurement and its servers end as well. */
process.once('disconnect', () => process.kill(0, 'SIGTERM'))

try {
  const { measure } = (await import(module)) as { measure: (bench: Bench) => Promise<void> }
  await measure({ folder, report: reportTo(verifyMicroseconds(calibrationMs)) })
  await new Promise((resolve) => process.send?.({ done: true }, resolve))
  process.exit(0)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  const label = `failed: ${error instanceof Error ? error.message : String(error)}`
  await new Promise((resolve) => process.send?.({ measurement, label, failed: true }, resolve))
  process.exit(1)
}
