import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startSharedPostgres } from '../../server/test/shared-postgres.ts'
import { fastestFolder } from '../../server/test/temporary-folder.ts'
import { isInProcess } from './rings.ts'
import { cacheFolder, type Check } from './static-checks.ts'
import { killWorkers, runTestFiles, type Summary, type TestRun } from './test-run.ts'
import { recordDebts } from './unstable.ts'

export const root = join(import.meta.dirname, '../..')
export const durationsFile = join(cacheFolder(root), 'durations.json')
export const print = (text: string): void => void process.stdout.write(text)
export const secondsSince = (startedMs: number): string =>
  ((performance.now() - startedMs) / 1_000).toFixed(1)

type Outcome = { readonly ok: boolean; readonly output: string }

const run = ([program = '', ...args]: readonly string[]): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', reject)
    child.once('close', (code) => resolve({ ok: code === 0, output }))
  })

export const runCheck = async ({ says, commands }: Check): Promise<boolean> => {
  const startedMs = performance.now()
  const outcomes: Outcome[] = []
  for (const command of commands) outcomes.push(await run(command))
  const ok = outcomes.every((outcome) => outcome.ok)
  const output = outcomes.map((outcome) => outcome.output).join('\n')
  print(`${ok ? '✓' : '✗'} ${says} (${secondsSince(startedMs)} s)\n`)
  if (!ok) print(`${output.trimEnd().replaceAll(/^/gm, '    ')}\n`)
  return ok
}

const compiledFolder = process.env['NODE_COMPILE_CACHE'] ?? join(cacheFolder(root), 'compiled')
/** Three times what one version of the sources needs. Node never removes what it stored for files that are gone. */
const maxCompiledFiles = 20_000

const pruneCompiled = async (): Promise<void> => {
  const files = await readdir(compiledFolder, { recursive: true }).catch(() => [])
  if (files.length > maxCompiledFiles) await rm(compiledFolder, { recursive: true, force: true })
}

export const readDurations = (): Record<string, number> => {
  try {
    return JSON.parse(readFileSync(durationsFile, 'utf8'))
  } catch {
    return {}
  }
}

/** PostgreSQL ends with this process. */
const stopEverything = (): void => {
  killWorkers()
  process.exit(130)
}

export const runTests = async (given: Omit<TestRun, 'root'>): Promise<Summary> => {
  await pruneCompiled()
  await using postgres = await startSharedPostgres()
  process.once('SIGINT', stopEverything).once('SIGTERM', stopEverything)
  return await runTestFiles({
    root,
    environment: {
      MILLSEAL_TEST_POSTGRES: postgres.connectionString,
      NODE_COMPILE_CACHE: compiledFolder,
      // Databases and logs flush every write; in memory that costs nothing.
      TMPDIR: await fastestFolder(),
    },
    ...given,
  })
}

/** Only browsers and other processes are served the whole console, whose build takes as long as a hundred tests. */
export const buildFor = (files: readonly string[]): Check =>
  files.every(isInProcess)
    ? { says: 'The pages of the server are built', commands: [['script/bootstrap', '--pages']] }
    : { says: 'The console is built', commands: [['script/bootstrap']] }

/** What failed beside others and passed alone does not fail the run, unless it happens again and again. */
export const reportUnstable = async (unstable: Summary['unstable']): Promise<number> => {
  const often = await recordDebts(root, unstable)
  for (const { tests } of unstable) for (const name of tests) print(`unstable: ${name}\n`)
  for (const { test, times } of often) print(`✗ ${test} was unstable ${times} times: cure it\n`)
  return often.length
}

export const noMatch = (patterns: readonly string[]): number => {
  process.stderr.write(`No test file matches ${patterns.join(' ')}\n`)
  return 1
}
