import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeEnvironment } from '../node-environment.ts'
import { startTestServer } from '../test-server.ts'
import { prepareCallers } from './callers.ts'
import { chained, withChains } from './chains.ts'
import { configurationFor } from './configuration.ts'
import { withExamples } from './examples.ts'
import { type Report, readReports } from './report.ts'

const published = join(import.meta.dirname, '../../../contract/openapi.json')

export type Wanted = {
  readonly seed: number
  /** Of each operation in each phase. */
  readonly examples: number
  /** Every boundary value of every parameter, valid or not: thousands of requests. */
  readonly isThorough: boolean
  /** Ids of operations. Without, all. */
  readonly only?: readonly string[]
  /** Where to send the requests, instead of to the server. */
  readonly through?: string
}

export type Judgement = Report & {
  /** Operations that refused a valid example. */
  readonly refused: readonly string[]
}

export interface Judge extends AsyncDisposable {
  /** Of the server that is judged. */
  readonly url: string
  judge(wanted: Wanted): Promise<Judgement>
}

/** Scenarios of calls that build on each other. */
const scenarios = 15

/** A new server, and schemathesis to judge its operations. Configurations and reports are in the folder. */
export const openJudge = async (tool: {
  readonly program: string
  readonly folder: string
}): Promise<Judge> => {
  await using opened = new AsyncDisposableStack()
  const server = opened.use(await startTestServer())
  const { main, callerOf, ownerOf } = await prepareCallers(server)
  // Tokens of people end after 15 minutes.
  opened.use(server.clock.freeze())
  const { document, operations } = await withExamples(published, main)
  const stack = opened.move()
  return {
    url: server.url,
    async judge({ seed, examples, isThorough, only = [], through = server.url }) {
      const shared = { ...tool, seed, url: `${through}/api` }
      const each = await run({
        ...shared,
        name: 'each',
        document,
        configuration: configurationFor(callerOf, { isThorough, isChained: false }),
        options: { phases: 'examples,coverage,fuzzing', 'max-examples': examples },
        only,
      })
      const chains = await run({
        ...shared,
        name: 'chains',
        document: withChains(document),
        configuration: configurationFor(ownerOf, { isThorough, isChained: true }),
        options: { phases: 'stateful', 'max-examples': Math.max(scenarios, examples) },
        only: chained.filter((id) => only.length === 0 || only.includes(id)),
      })
      const read = await readReports([each, chains])
      return { ...read, refused: operations.filter((operation) => !read.accepted.has(operation)) }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

type Run = {
  readonly program: string
  readonly folder: string
  readonly seed: number
  readonly name: string
  readonly url: string
  readonly document: object
  readonly configuration: string
  readonly options: Readonly<Record<string, string | number>>
  readonly only: readonly string[]
}

/** Resolves with the path of the report. */
const run = async (wanted: Run): Promise<string> => {
  const { program, folder, name, url, seed, document, configuration, options, only } = wanted
  const pathOf = (ending: string): string => join(folder, `${name}.${ending}`)
  await writeFile(pathOf('json'), JSON.stringify(document))
  await writeFile(pathOf('toml'), configuration)
  const all = {
    ...options,
    url,
    seed,
    workers: 2,
    warnings: 'off',
    report: 'ndjson',
    'report-ndjson-path': pathOf('ndjson'),
    // Busy machines are slow.
    'request-timeout': 120,
    'generation-database': 'none',
  }
  const args = [
    ...Object.entries(all).map(([option, value]) => `--${option}=${value}`),
    ...only.map((id) => `--include-operation-id=${id}`),
  ]
  const child = spawn(
    program,
    ['--config-file', pathOf('toml'), 'run', pathOf('json'), ...args, '--continue-on-failure', '--no-color'],
    { cwd: folder, env: nodeEnvironment(), stdio: ['ignore', 'ignore', 'inherit'] },
  )
  await once(child, 'close')
  return pathOf('ndjson')
}
