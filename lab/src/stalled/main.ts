// Runs tests whose processes are stopped at random moments: script/test --stalled.
import {
  buildFor,
  noMatch,
  print,
  readDurations,
  reportUnstable,
  root,
  runCheck,
  runTests,
} from '../../../tooling/src/run.ts'
import { filesOf } from '../../../tooling/src/selection.ts'
import { changedThisWeek, parseStalled, runStalled } from './stalled.ts'

/** A night has other work. */
const endMs = 30 * 60_000

const proveStalled = async (args: readonly string[]): Promise<number> => {
  const { patterns, ...options } = parseStalled(args)
  const files = patterns.length > 0 ? await filesOf(root, patterns) : changedThisWeek(root)
  if (files.length === 0) return noMatch(patterns)
  if (!(await runCheck(buildFor(files)))) return 1
  const durations = readDurations()
  const signal = AbortSignal.timeout(endMs)
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

process.exitCode = await proveStalled(process.argv.slice(2))
