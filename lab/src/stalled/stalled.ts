import { createHash, randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { git } from '../../../tooling/src/git.ts'
import type { Summary, TestRun } from '../../../tooling/src/test-run.ts'

/** What script/test --stalled does: a test must not depend on when its process runs, as on a machine that stands still. */
export type StalledRun = {
  readonly files: readonly string[]
  readonly times: number
  readonly seed: number
  /** Milliseconds by file, of earlier runs. */
  readonly durations: Readonly<Record<string, number>>
  readonly run: (run: Omit<TestRun, 'root'>) => Promise<Summary>
  readonly print: (text: string) => void
  /** No further file starts once it is aborted. */
  readonly signal: AbortSignal
  readonly stopMs?: number
  /** For each run of a file. */
  readonly maxStops?: number
}

type Count = { runs: number; stopped: number }

/** For a file that never ran here. */
const guessMs = 2_000

export const parseStalled = (args: readonly string[]) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { times: { type: 'string', default: '5' }, seed: { type: 'string' } },
    allowPositionals: true,
  })
  return {
    patterns: positionals,
    times: Number(values.times),
    seed: values.seed === undefined ? randomInt(2 ** 32) : Number(values.seed),
  }
}

export const changedThisWeek = (root: string): string[] => {
  const log = ['log', '--since=1 week ago', '--format=', '--name-only', '--', '*.test.ts']
  return [...new Set(git(root, ...log).split('\n'))].filter(
    (path) => path !== '' && existsSync(join(root, path)),
  )
}

/** Runs the files again and again while their processes are stopped and continued at random moments. */
export const runStalled = async ({
  files,
  times,
  seed,
  durations,
  run,
  print,
  signal,
  stopMs = 3_000,
  maxStops = 3,
}: StalledRun): Promise<Summary> => {
  print(`Stopped at random moments: ${files.length} files, ${times} times, --seed ${seed}\n`)
  const counts = new Map<string, Count>()
  const ranMs = new Map(Object.entries(durations))
  const shuffled = files.toSorted((a, b) => fractionOf(`${seed} ${a}`) - fractionOf(`${seed} ${b}`))
  const summary = await run({
    files: Array.from({ length: times }, () => shuffled).flat(),
    signal,
    maxRepeated: files.length,
    beside: (file, child) => {
      const count = counts.get(file) ?? { runs: 0, stopped: 0 }
      counts.set(file, count)
      count.runs += 1
      const startedMs = performance.now()
      const ended = new AbortController()
      const stopping = stopAndContinue({
        stop: () => child.kill('SIGSTOP'),
        resume: () => child.kill('SIGCONT'),
        // On average at a quarter, a half and three quarters of the run.
        pauseMs: (stop) =>
          (fractionOf(`${seed} ${file} ${count.runs} ${stop}`) * (ranMs.get(file) ?? guessMs)) / 2,
        stopMs,
        maxStops,
        ended: ended.signal,
      })
      return {
        async [Symbol.asyncDispose]() {
          const tookMs = performance.now() - startedMs
          ended.abort()
          const stops = await stopping
          if (stops > 0) count.stopped += 1
          ranMs.set(file, Math.max(100, tookMs - stops * stopMs))
        },
      }
    },
  })
  print(tableOf(counts, summary))
  const left = files.length - counts.size
  if (left > 0) print(`Left out, because the time was over: ${left} files\n`)
  return summary
}

/** The same for the same text, between 0 and 1. */
const fractionOf = (text: string): number =>
  createHash('sha256').update(text).digest().readUInt32LE() / 2 ** 32

/** Returns how often it stopped the process. */
const stopAndContinue = async (stops: {
  readonly stop: () => void
  readonly resume: () => void
  readonly pauseMs: (stop: number) => number
  readonly stopMs: number
  readonly maxStops: number
  readonly ended: AbortSignal
}): Promise<number> => {
  const wait = (ms: number): Promise<boolean> => delay(ms, true, { signal: stops.ended }).catch(() => false)
  let made = 0
  while (made < stops.maxStops && (await wait(stops.pauseMs(made)))) {
    stops.stop()
    made += 1
    await wait(stops.stopMs)
    stops.resume()
  }
  return made
}

const tableOf = (counts: ReadonlyMap<string, Count>, { unstable, broken }: Summary): string => {
  const red = [...unstable, ...broken].map(({ file }) => file)
  return [...counts]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([file, { runs, stopped }]) => {
      const times = red.filter((one) => one === file).length
      return `${times === 0 ? '✓' : '✗'} ${file}: ${runs} runs, ${stopped} of them stopped, ${times} failed\n`
    })
    .join('')
}
