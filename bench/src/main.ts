import { mkdir, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { removeAbandonedFolders } from '../../server/test/temporary-folder.ts'
import { describeMachine, diskFolder } from './machine.ts'
import type { Row } from './row.ts'
import { type Planned, runMeasurement } from './runner.ts'
import { formatTable } from './table.ts'

type Entry = { readonly name: string; readonly deadlineSeconds?: number; readonly onlyByName?: true }

/** The start comes first: a fresh machine has most memory and the emptiest caches. */
const measurements: readonly Entry[] = [
  { name: 'calibration' },
  { name: 'start', deadlineSeconds: 150 },
  { name: 'http', deadlineSeconds: 240 },
  { name: 'certificates', deadlineSeconds: 300 },
  { name: 'verifications' },
  { name: 'hostile' },
  { name: 'html' },
  { name: 'pdf' },
  { name: 'database' },
  { name: 'jobs' },
  { name: 'webhooks' },
  { name: 'mqtt' },
  { name: 'keys' },
  { name: 'transactions' },
  { name: 'ledger' },
  { name: 'mqtt-idle', deadlineSeconds: 240, onlyByName: true },
  { name: 'pdf-memory', deadlineSeconds: 900, onlyByName: true },
  { name: 'ledger-growth', deadlineSeconds: 900, onlyByName: true },
]
const usualDeadlineSeconds = 120

const byName = measurements.filter(({ onlyByName }) => onlyByName).map(({ name }) => name)
const help = `Usage: script/bench [--only <name>] [--json]

  --only <name>  run one measurement: ${measurements.map(({ name }) => name).join(', ')}
                 (${byName.join(', ')} take minutes and run only if named)
  --json         print the rows as JSON instead of a table

Also writes the rows of each measurement to bench/results/<name>.json. Ctrl-C prints the rows measured so far.
`

const log = (text: string): void => void process.stderr.write(`${text}\n`)

const main = async (): Promise<number> => {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  })
  const chosen = measurements.filter(({ name, onlyByName }) =>
    values.only === undefined ? onlyByName !== true : name === values.only,
  )
  if (values.help === true || chosen.length === 0) {
    ;(values.help === true ? process.stdout : process.stderr).write(help)
    return values.help === true ? 0 : 2
  }
  await removeAbandonedFolders(diskFolder())
  const machine = describeMachine()
  log(machine)
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  const rows: Row[] = []
  for (const { name, deadlineSeconds = usualDeadlineSeconds } of chosen) {
    if (stopping.signal.aborted) break
    log(`measuring ${name}`)
    const module = new URL(`measurements/${name}.ts`, import.meta.url).href
    rows.push(
      ...(await measureOne({ name, module, deadlineMs: deadlineSeconds * 1_000 }, machine, stopping.signal)),
    )
  }
  log(`load average at the end ${loadavg()[0]?.toFixed(2)}, including this run`)
  const json = JSON.stringify({ machine, rows }, undefined, 2)
  process.stdout.write(`${values.json === true ? json : `${machine}\n\n${formatTable(rows)}`}\n`)
  return stopping.signal.aborted || rows.some(({ failed }) => failed) ? 1 : 0
}

const measureOne = async (planned: Planned, machine: string, signal: AbortSignal): Promise<Row[]> => {
  const rows: Row[] = []
  await runMeasurement(planned, { onRow: (row) => rows.push(row), signal })
  const folder = join(import.meta.dirname, '../results')
  await mkdir(folder, { recursive: true })
  const measuredAt = new Date().toISOString()
  const json = JSON.stringify({ measuredAt, machine, rows }, undefined, 2)
  await writeFile(join(folder, `${planned.name}.json`), `${json}\n`)
  return rows
}

process.exitCode = await main()
