import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startSharedPostgres } from '../../server/test/shared-postgres.ts'
import { fastestFolder } from '../../server/test/temporary-folder.ts'
import { ringOf } from './rings.ts'
import { filesOf, selectWork, type Work } from './selection.ts'
import { changedThisWeek, parseStalled, runStalled } from './stalled.ts'
import { cacheFolder, type Check } from './static-checks.ts'
import { killWorkers, runTestFiles, type Summary, type TestRun } from './test-run.ts'
import { recordDebts } from './unstable.ts'

// What script/test does, on a laptop and in CI alike.
const root = join(import.meta.dirname, '../..')
const durationsFile = join(cacheFolder(root), 'durations.json')
const print = (text: string): void => void process.stdout.write(text)
const secondsSince = (startedMs: number): string => ((performance.now() - startedMs) / 1_000).toFixed(1)

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

const runCheck = async ({ says, commands }: Check): Promise<boolean> => {
  const startedMs = performance.now()
  const outcomes: Outcome[] = []
  for (const command of commands) outcomes.push(await run(command))
  const ok = outcomes.every((outcome) => outcome.ok)
  const output = outcomes.map((outcome) => outcome.output).join('\n')
  print(`${ok ? '✓' : '✗'} ${says} (${secondsSince(startedMs)} s)\n`)
  if (!ok) print(`${output.trimEnd().replaceAll(/^/gm, '    ')}\n`)
  return ok
}

/** Two at a time. */
const runChecks = async (checks: readonly Check[]): Promise<boolean[]> => {
  await mkdir(join(cacheFolder(root), 'types'), { recursive: true })
  const queue = [...checks]
  const results: boolean[] = []
  const lane = async (): Promise<void> => {
    for (let check = queue.shift(); check !== undefined; check = queue.shift())
      results.push(await runCheck(check))
  }
  await Promise.all([lane(), lane()])
  return results
}

const compiledFolder = process.env['NODE_COMPILE_CACHE'] ?? join(cacheFolder(root), 'compiled')
/** Three times what one version of the sources needs. Node never removes what it stored for files that are gone. */
const maxCompiledFiles = 20_000

const pruneCompiled = async (): Promise<void> => {
  const files = await readdir(compiledFolder, { recursive: true }).catch(() => [])
  if (files.length > maxCompiledFiles) await rm(compiledFolder, { recursive: true, force: true })
}

const readDurations = (): Record<string, number> => {
  try {
    return JSON.parse(readFileSync(durationsFile, 'utf8'))
  } catch {
    return {}
  }
}

/** What a file takes that has not run here: one with a browser more than one with a server, and that more than the rest. */
const guessMs = (file: string): number => {
  const ring = ringOf(file)
  if (ring === 'browser') return 100_000
  const isServer = ring === 'process' || readFileSync(join(root, file), 'utf8').includes('startTestServer')
  return isServer ? 20_000 : 0
}

/** The longest file first, so that no process is left alone with it. */
const longestFirst = (files: readonly string[]): string[] => {
  const durations = readDurations()
  const expected = new Map(files.map((file) => [file, durations[file] ?? guessMs(file)]))
  return files.toSorted((a, b) => (expected.get(b) ?? 0) - (expected.get(a) ?? 0))
}

const runTests = async (given: Omit<TestRun, 'root'>): Promise<Summary> => {
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

const noTests: Summary = { passed: 0, failed: 0, skipped: [], unstable: [], broken: [], durations: {} }

/** Only browsers and other processes are served the whole console, whose build takes as long as a hundred tests. */
const buildFor = (files: readonly string[]): Check =>
  files.every((file) => ringOf(file) === 'first')
    ? { says: 'The pages of the server are built', commands: [['script/bootstrap', '--pages']] }
    : { says: 'The console is built', commands: [['script/bootstrap']] }

/** Undefined if what they need could not be built. */
const runOnce = async (files: readonly string[]): Promise<Summary | undefined> => {
  if (files.length === 0) return noTests
  if (!(await runCheck(buildFor(files)))) return undefined
  const summary = await runTests({ files: longestFirst(files) })
  await mkdir(cacheFolder(root), { recursive: true })
  await writeFile(durationsFile, JSON.stringify({ ...readDurations(), ...summary.durations }))
  return summary
}

/** PostgreSQL ends with this process. */
const stopEverything = (): void => {
  killWorkers()
  process.exit(130)
}

/** What failed beside others and passed alone does not fail the run, unless it happens again and again. */
const reportUnstable = async (unstable: Summary['unstable']): Promise<number> => {
  const often = await recordDebts(root, unstable)
  for (const { tests } of unstable) for (const name of tests) print(`unstable: ${name}\n`)
  for (const { test, times } of often) print(`✗ ${test} was unstable ${times} times: cure it\n`)
  return often.length
}

/** Checks and tests run beside each other: tests often wait, and checks never do. */
const prove = async (work: Work): Promise<number> => {
  const startedMs = performance.now()
  for (const note of work.notes) print(`${note}\n`)
  const [checks, ran] = await Promise.all([runChecks(work.checks), runOnce(work.files)])
  const tests = ran ?? noTests
  let failed = checks.filter((ok) => !ok).length + (ran === undefined ? 1 : 0)
  const mayNotSkip = process.env['CI'] === 'true' && process.getuid?.() === 0
  if (mayNotSkip && tests.skipped.length > 0) {
    print(`✗ On CI nothing may be skipped:\n    ${tests.skipped.join('\n    ')}\n`)
    failed += 1
  }
  print(`${tests.failed === 0 ? '✓' : '✗'} Tests (${tests.passed} passed, ${secondsSince(startedMs)} s)\n\n`)
  failed += tests.failed
  failed += await reportUnstable(tests.unstable)
  const skipped = tests.skipped.length > 0 ? `, ${tests.skipped.length} skipped` : ''
  print(`${checks.filter(Boolean).length + tests.passed} passed, ${failed} failed${skipped}\n`)
  return failed === 0 ? 0 : 1
}

/** A night has other work. */
const stalledMs = 30 * 60_000

const proveStalled = async (args: readonly string[]): Promise<number> => {
  const { patterns, ...options } = parseStalled(args)
  const files = patterns.length > 0 ? await filesOf(root, patterns) : changedThisWeek(root)
  if (files.length === 0) return noMatch(patterns)
  if (!(await runCheck(buildFor(files)))) return 1
  const durations = readDurations()
  const signal = AbortSignal.timeout(stalledMs)
  const { failed, unstable } = await runStalled({
    ...options,
    files,
    durations,
    signal,
    run: runTests,
    print,
  })
  await reportUnstable(unstable)
  return failed === 0 && unstable.length === 0 ? 0 : 1
}

const noMatch = (patterns: readonly string[]): number => {
  process.stderr.write(`No test file matches ${patterns.join(' ')}\n`)
  return 1
}

const proveSelected = async (args: readonly string[]): Promise<number> => {
  const work = await selectWork(root, args).catch((error: Error) => error)
  if (work instanceof Error) {
    process.stderr.write(`${work.message}\n`)
    return 1
  }
  const isEmpty = work.files.length === 0 && work.checks.length === 0 && work.notes.length === 0
  return isEmpty ? noMatch(args) : await prove(work)
}

const [first, ...rest] = process.argv.slice(2)
process.exitCode =
  first === '--stalled' ? await proveStalled(rest) : await proveSelected(process.argv.slice(2))
