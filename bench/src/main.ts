import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { diskFolder, removeAbandonedFolders } from '../../server/test/temporary-folder.ts'
import { describeMachine } from './machine.ts'
import type { Row } from './row.ts'
import { runMeasurement } from './runner.ts'
import { formatRuns, type Run } from './table.ts'

/** The start comes first: a fresh machine has most memory and the emptiest caches. */
const names =
  'calibration start http certificates verifications hostile fairness strangers html pdf webhooks mqtt fan-out proofs ledger'
const usual = names.split(' ')
const slow = ['mqtt-idle', 'traces', 'pdf-memory', 'ledger-growth', 'lists', 'console']

const help = `Usage: script/bench [--only <name>] [--last] [--json]

  --only <name>  run one measurement: ${usual.join(', ')}
                 or one that takes minutes: ${slow.join(', ')}
  --last         measure nothing; print the last run of each measurement, as in docs/benchmarks.md
  --json         print the rows as JSON instead of a table

Also writes the rows of each measurement to bench/results/<name>.json. Ctrl-C prints the rows measured so far.
`
const results = join(import.meta.dirname, '../results')
const fileOf = (name: string): string => join(results, `${name}.json`)
const toJson = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`
const log = (text: string): void => void process.stderr.write(`${text}\n`)

const measure = async (name: string, signal: AbortSignal): Promise<Run> => {
  log(`measuring ${name}`)
  const [loadAverage = 0] = loadavg()
  const rows: Row[] = []
  const module = new URL(`measurements/${name}.ts`, import.meta.url).href
  const deadlineMs = slow.includes(name) ? 2_400_000 : 600_000
  await runMeasurement({ name, module, deadlineMs }, { onRow: (row) => rows.push(row), signal })
  const run = { measuredAt: new Date().toISOString(), machine: describeMachine(), loadAverage, rows }
  await writeFile(fileOf(name), toJson(run))
  return run
}

const measureAll = async (chosen: readonly string[], signal: AbortSignal): Promise<Run[]> => {
  await removeAbandonedFolders(diskFolder())
  await mkdir(results, { recursive: true })
  const runs: Run[] = []
  for (const name of chosen) if (!signal.aborted) runs.push(await measure(name, signal))
  return runs
}

/** Of every measurement that was made here. */
const readLast = async (): Promise<Run[]> => {
  const texts = await Promise.all(
    [...usual, ...slow].map((name) => readFile(fileOf(name), 'utf8').catch(() => '')),
  )
  return texts.filter((text) => text !== '').map((text) => JSON.parse(text) as Run)
}

const main = async (): Promise<number> => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      last: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const chosen =
    values.only === undefined ? usual : [...usual, ...slow].filter((name) => name === values.only)
  if (values.help === true || chosen.length === 0) {
    process.stdout.write(help)
    return values.help === true ? 0 : 2
  }
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort())
  const runs = values.last === true ? await readLast() : await measureAll(chosen, stopping.signal)
  if (runs.length === 0) {
    log('There are no results yet. Run script/bench first.')
    return 1
  }
  process.stdout.write(values.json === true ? toJson(runs) : `${formatRuns(runs)}\n`)
  const isFailed = runs.some(({ rows }) => rows.some(({ failed }) => failed))
  return stopping.signal.aborted || isFailed ? 1 : 0
}

process.exitCode = await main()
