import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ringOf } from './rings.ts'
import {
  buildFor,
  durationsFile,
  noMatch,
  print,
  readDurations,
  reportUnstable,
  root,
  runCheck,
  runTests,
  secondsSince,
} from './run.ts'
import { selectWork, type Work } from './selection.ts'
import { cacheFolder, type Check } from './static-checks.ts'
import type { Summary } from './test-run.ts'

// What script/test does, on a laptop and in CI alike.

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

/** What a file takes that has not run here: one with a browser more than one with a server, and that more than the rest. */
const guessMs = (file: string): number => {
  const ring = ringOf(file)
  if (ring === 'browser') return 100_000
  const isServer = ring !== 'first' || readFileSync(join(root, file), 'utf8').includes('startTestServer')
  return isServer ? 20_000 : 0
}

/** The longest file first, so that no process is left alone with it. */
const longestFirst = (files: readonly string[]): string[] => {
  const durations = readDurations()
  const expected = new Map(files.map((file) => [file, durations[file] ?? guessMs(file)]))
  return files.toSorted((a, b) => (expected.get(b) ?? 0) - (expected.get(a) ?? 0))
}

const noTests: Summary = { passed: 0, failed: 0, skipped: [], unstable: [], broken: [], durations: {} }

/** Undefined if what they need could not be built. */
const runOnce = async (files: readonly string[]): Promise<Summary | undefined> => {
  if (files.length === 0) return noTests
  if (!(await runCheck(buildFor(files)))) return undefined
  const summary = await runTests({ files: longestFirst(files) })
  await mkdir(cacheFolder(root), { recursive: true })
  await writeFile(durationsFile, JSON.stringify({ ...readDurations(), ...summary.durations }))
  return summary
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

const proveSelected = async (args: readonly string[]): Promise<number> => {
  const work = await selectWork(root, args).catch((error: Error) => error)
  if (work instanceof Error) {
    process.stderr.write(`${work.message}\n`)
    return 1
  }
  const isEmpty = work.files.length === 0 && work.checks.length === 0 && work.notes.length === 0
  return isEmpty ? noMatch(args) : await prove(work)
}

process.exitCode = await proveSelected(process.argv.slice(2))
