import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runMeasurement } from './runner.ts'
import { formatRuns, type Row } from './table.ts'

const planted = (name: string, body: string, deadlineMs = 60_000) => ({
  name,
  module: `data:text/javascript,export const measure = async ({ report }) => { ${body} }`,
  deadlineMs,
})
const before = "report.value('the row before', 7, 'MB');"

const measure = async (...measurements: ReturnType<typeof planted>[]): Promise<readonly Row[]> => {
  const rows: Row[] = []
  const { signal } = new AbortController()
  for (const one of measurements) await runMeasurement(one, { onRow: (row) => rows.push(row), signal })
  return rows
}

test('a measurement that hangs, throws or crashes leaves its rows so far, one that says so, and the others', async () => {
  const rows = await measure(
    planted('loop', `${before} await new Promise((resolve) => setImmediate(resolve)); for (;;);`, 5_000),
    planted('throw', `${before} throw new Error('no such certificate')`),
    planted('crash', `${before} await new Promise(setImmediate); process.kill(process.pid, 'SIGKILL')`),
    planted('good', "report.rate('answers', { perSecond: 1234, cpuMicroseconds: 100 }, { atLeast: 1000 })"),
  )
  assert.deepEqual(
    rows.map(({ measurement, label, failed }) => [measurement, label, failed ?? false]),
    [
      ['loop', 'the row before', false],
      ['loop', 'took longer than 5 s (rows so far above)', true],
      ['throw', 'the row before', false],
      ['throw', 'failed: no such certificate', true],
      ['crash', 'the row before', false],
      ['crash', 'failed: the process ended with SIGKILL', true],
      ['good', 'answers', false],
    ],
  )
  const measuredAt = '2026-11-26T14:00:00.000Z'
  const table = formatRuns([{ measuredAt, machine: '2 cores', loadAverage: 1, rows }])
  assert.match(table, /^2 cores, 2026-11-26, load average 1\.0 to 1\.0\n\n\| measurement/)
  assert.match(table, /\| loop +\| the row before +\| +7 MB \|/)
  assert.match(table, /took longer than 5 s/)
  assert.match(table, /\| good +\| answers +\| 1,234 \/s \| ≥ 1000 \/s ✓ +\| +100 µs \| +\d/)
  const { cpuPerUnit = 0, normalised = 0 } = rows.at(-1) ?? {}
  assert.ok(cpuPerUnit / normalised > 10 && cpuPerUnit / normalised < 10_000)
})

test('a measurement that is stopped ends without a row about it', async () => {
  const rows: Row[] = []
  const stopping = new AbortController()
  const onRow = (row: Row): void => {
    rows.push(row)
    stopping.abort()
  }
  await runMeasurement(planted('endless', `${before} await new Promise(() => setInterval(() => {}, 1000))`), {
    onRow,
    signal: stopping.signal,
  })
  assert.deepEqual(
    rows.map(({ label }) => label),
    ['the row before'],
  )
})
