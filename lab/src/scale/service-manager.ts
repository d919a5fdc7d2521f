import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../../../server/test/eventually.ts'
import { readinessOf } from '../../../server/test/restartable.ts'
import type { Process } from './installation.ts'

export type ServiceManager = AsyncDisposable & {
  isUp(process: Process): boolean
  /** Resolves when all processes are up and ready. */
  allReady(): Promise<void>
  /** How often each was started. */
  readonly starts: ReadonlyMap<string, number>
  /** SIGTERM, and after a time SIGKILL. */
  stop(process: Process): Promise<void>
}

/** RestartSec and TimeoutStopSec of deploy/systemd. */
const [restartMs, stopMs] = [2_000, 30_000]
const lookMs = 50

/** Starts the processes, and again what has ended, as systemd does with our units. */
export const manage = async (processes: readonly Process[]): Promise<ServiceManager> => {
  const over = new AbortController()
  const starts = new Map<string, number>()
  const up = new Set<Process>()
  const start = async (process: Process): Promise<void> => {
    starts.set(process.name, (starts.get(process.name) ?? 0) + 1)
    await process.start()
    up.add(process)
  }
  const watch = async (process: Process): Promise<void> => {
    while (!over.signal.aborted) {
      await pause(lookMs)
      if (up.has(process) && !process.hasEnded()) continue
      up.delete(process)
      await pause(restartMs, undefined, { signal: over.signal }).catch(() => {})
      // One that could not start is started again.
      if (!over.signal.aborted) await start(process).catch(() => {})
    }
  }
  const isUp = (process: Process): boolean => up.has(process) && !process.hasEnded()
  await Promise.all(processes.map(start))
  const watching = Promise.all(processes.map(watch))
  return {
    starts,
    isUp,
    async allReady() {
      let said: readonly string[] = []
      await eventually(
        async () => {
          if (!processes.every(isUp)) return false
          said = await Promise.all(processes.map(({ url }) => readinessOf(url)))
          return said.every((one) => one === '')
        },
        { what: () => `all processes to be ready: ${said.join()}`, everyMs: lookMs },
      )
    },
    async stop(process) {
      const ended = new AbortController()
      const late = pause(stopMs, undefined, { signal: ended.signal }).then(
        () => process.kill(),
        () => {},
      )
      await process.stop()
      ended.abort()
      await late
    },
    async [Symbol.asyncDispose]() {
      over.abort()
      await watching
      await Promise.all(processes.map((process) => process.stop()))
    },
  }
}
