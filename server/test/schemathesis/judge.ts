import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeEnvironment } from '../node-environment.ts'
import { startTestServer } from '../test-server.ts'
import { prepareCallers } from './callers.ts'
import { configurationFor } from './configuration.ts'
import { withExamples } from './examples.ts'
import { type Report, readReport } from './report.ts'

const published = join(import.meta.dirname, '../../../contract/openapi.json')

export type Wanted = {
  readonly program: string
  /** For the configuration and the report. */
  readonly folder: string
  readonly seed: number
  /** Of each operation in each phase. */
  readonly examples: number
  /** Every boundary value of every parameter, valid or not: thousands of requests. */
  readonly isThorough: boolean
}

export type Judgement = Report & {
  /** Operations that refused a valid example. */
  readonly refused: readonly string[]
}

/** Lets schemathesis judge all operations of a new server. */
export const judge = async ({ program, folder, seed, ...wanted }: Wanted): Promise<Judgement> => {
  await using server = await startTestServer()
  const { main, callerOf } = await prepareCallers(server)
  // Tokens of people end after 15 minutes.
  using _stopped = server.clock.freeze()
  const configuration = join(folder, 'schemathesis.toml')
  const report = join(folder, 'report.ndjson')
  const document = join(folder, 'openapi.json')
  const examples = await withExamples(published, main)
  await writeFile(document, examples.text)
  await writeFile(configuration, configurationFor(callerOf, wanted))
  const options = {
    url: `${server.url}/api`,
    seed,
    'max-examples': wanted.examples,
    workers: 2,
    phases: 'examples,coverage,fuzzing,stateful',
    warnings: 'off',
    report: 'ndjson',
    'report-ndjson-path': report,
    'generation-database': 'none',
  }
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  const child = spawn(
    program,
    ['--config-file', configuration, 'run', document, ...args, '--continue-on-failure', '--no-color'],
    { cwd: folder, env: nodeEnvironment(), stdio: ['ignore', 'ignore', 'inherit'] },
  )
  await once(child, 'close')
  const read = await readReport(report)
  return { ...read, refused: examples.operations.filter((operation) => !read.accepted.has(operation)) }
}
