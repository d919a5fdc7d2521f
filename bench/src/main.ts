import { mkdir, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine, type Machine, machineLine } from './machine.ts'
import { certificates } from './measurements/certificates.ts'
import { durableWrites } from './measurements/durable-writes.ts'
import { hostile } from './measurements/hostile.ts'
import { html } from './measurements/html.ts'
import { httpStack } from './measurements/http-stack.ts'
import { idempotency } from './measurements/idempotency.ts'
import { jobs } from './measurements/jobs.ts'
import { keys } from './measurements/keys.ts'
import { ledger } from './measurements/ledger.ts'
import { ledgerGrowth } from './measurements/ledger-growth.ts'
import { mqtt, mqttIdle } from './measurements/mqtt.ts'
import { pdf } from './measurements/pdf.ts'
import { pdfMemory } from './measurements/pdf-memory.ts'
import { rateLimiter } from './measurements/rate-limiter.ts'
import { start } from './measurements/start.ts'
import { token } from './measurements/token.ts'
import { transactions } from './measurements/transactions.ts'
import { usersMe } from './measurements/users-me.ts'
import { verifications } from './measurements/verifications.ts'
import { webhooks } from './measurements/webhooks.ts'
import type { Measurement, Row } from './row.ts'
import { formatTable } from './table.ts'
import { stopAll } from './processes.ts'
import { openWorkshop } from './workshop.ts'

/** In this order: the start is measured while no other server of ours runs. */
const measurements = [
  start,
  httpStack,
  rateLimiter,
  usersMe,
  token,
  certificates,
  verifications,
  hostile,
  html,
  pdf,
  pdfMemory,
  durableWrites,
  idempotency,
  jobs,
  webhooks,
  mqtt,
  mqttIdle,
  keys,
  transactions,
  ledger,
  ledgerGrowth,
]
const measurementDeadlineMs = 30_000
const runDeadlineMs = 420_000

const slow = measurements.flatMap(({ name, deadlineMs }) => (deadlineMs === undefined ? [] : [name]))

const help = `Usage: script/bench [--only <name>] [--json]

  --only <name>  one of ${measurements.map(({ name }) => name).join(', ')}
                 (${slow.join(', ')}: takes minutes, and is measured only so)
  --json         print the rows as JSON instead of a table

Each result is also kept in bench/results/<name>.json.
`

type Result = { readonly name: string; readonly rows: readonly Row[]; readonly seconds: number }

const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

const main = async (): Promise<number> => {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help === true) {
    process.stdout.write(help)
    return 0
  }
  const chosen = measurements.filter(({ name, deadlineMs }) =>
    values.only === undefined ? deadlineMs === undefined : name === values.only,
  )
  if (chosen.length === 0) {
    say(help)
    return 2
  }
  const machine = await describeMachine()
  const isJson = values.json === true
  if (!isJson) process.stdout.write(`${machineLine(machine)}\n\n`)
  const results: Result[] = []
  // What hangs cannot be waited for: ending this process ends all it has started.
  const giveUp = async (reason: string): Promise<never> => {
    say(reason)
    print(machine, results, isJson)
    await stopAll()
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void giveUp(`stopped by ${signal}`))
  }
  await measureAll({ chosen, machine, results, giveUp })
  say(`load average at the end ${loadavg()[0]?.toFixed(2)}, this run included`)
  print(machine, results, isJson)
  return results.length === chosen.length ? 0 : 1
}

const print = (machine: Machine, results: readonly Result[], isJson: boolean): void => {
  process.stdout.write(
    isJson ? `${JSON.stringify({ machine, results }, undefined, 2)}\n` : `${formatTable(results)}\n`,
  )
}

type Run = {
  readonly chosen: readonly Measurement[]
  readonly machine: Machine
  readonly results: Result[]
  readonly giveUp: (reason: string) => Promise<never>
}

/** One that fails says so and is left out; the others are measured all the same, as long as there is time. */
const measureAll = async ({ chosen, machine, results, giveUp }: Run): Promise<void> => {
  const workshop = await openWorkshop(say)
  await using _closing = workshop.closing
  for (const { name, measure, deadlineMs = measurementDeadlineMs } of chosen) {
    if (performance.now() > runDeadlineMs - measurementDeadlineMs) {
      say(`${name} is left out: the run takes too long`)
      continue
    }
    say(`measuring ${name}`)
    const late = `${name} took longer than ${deadlineMs} ms`
    const tooLong = setTimeout(() => void giveUp(late), deadlineMs)
    const startedAt = performance.now()
    try {
      const rows = await measure(workshop)
      const seconds = Number(((performance.now() - startedAt) / 1_000).toFixed(1))
      results.push({ name, rows, seconds })
      await keep({ name, rows, seconds }, machine)
    } catch (error) {
      say(`${name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    } finally {
      clearTimeout(tooLong)
    }
  }
}

const keep = async (result: Result, machine: Machine): Promise<void> => {
  const folder = join(import.meta.dirname, '../results')
  await mkdir(folder, { recursive: true })
  const measuredAt = new Date().toISOString()
  await writeFile(
    join(folder, `${result.name}.json`),
    `${JSON.stringify({ measuredAt, machine, ...result }, undefined, 2)}\n`,
  )
}

process.exitCode = await main()
