import { mkdir, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { removeAbandonedFolders } from '../../server/test/temporary-folder.ts'
import { describeMachine, diskFolder } from './machine.ts'
import type { Row } from './row.ts'
import { runMeasurement } from './runner.ts'
import { formatTable } from './table.ts'

/** The start comes first: a fresh machine has most memory and the emptiest caches. */
const names =
  'calibration start http certificates verifications hostile fairness strangers html pdf webhooks mqtt fan-out proofs ledger'
const usual = names.split(' ')
const slow = ['mqtt-idle', 'traces', 'pdf-memory', 'ledger-growth', 'lists', 'console']

const help = `Usage: script/bench [--only <name>] [--json]

  --only <name>  run one measurement: ${usual.join(', ')}
                 or one that takes minutes: ${slow.join(', ')}
  --json         print the rows as JSON instead of a table

Also writes the rows of each measurement to bench/results/<name>.json. Ctrl-C prints the rows measured so far.
`
const results = join(import.meta.dirname, '../results')
const toJson = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`
const log = (text: string): void => void process.stderr.write(`${text}\n`)

const main = async (): Promise<number> => {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  })
  const chosen =
    values.only === undefined ? usual : [...usual, ...slow].filter((name) => name === values.only)
  if (values.help === true || chosen.length === 0) {
    process.stdout.write(help)
    return values.help === true ? 0 : 2
  }
  await removeAbandonedFolders(diskFolder())
  await mkdir(results, { recursive: true })
  const machine = describeMachine()
  log(machine)
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort())
  const all: Row[] = []
  for (const name of chosen) {
    if (stopping.signal.aborted) break
    log(`measuring ${name}`)
    const rows: Row[] = []
    const module = new URL(`measurements/${name}.ts`, import.meta.url).href
    const deadlineMs = slow.includes(name) ? 2_400_000 : 600_000
    const options = { onRow: (row: Row) => void rows.push(row), signal: stopping.signal }
    await runMeasurement({ name, module, deadlineMs }, options)
    const measuredAt = new Date().toISOString()
    await writeFile(join(results, `${name}.json`), toJson({ measuredAt, machine, rows }))
    all.push(...rows)
  }
  log(`load average at the end ${loadavg()[0]?.toFixed(2)}, including this run`)
  process.stdout.write(
    values.json === true ? toJson({ machine, rows: all }) : `${machine}\n\n${formatTable(all)}\n`,
  )
  return stopping.signal.aborted || all.some(({ failed }) => failed) ? 1 : 0
}

process.exitCode = await main()
