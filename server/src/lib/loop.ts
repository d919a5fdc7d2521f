import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'

export type Loop = AsyncDisposable & {
  /** Starts the next pass now. */
  wake(): void
}

export type LoopOptions = {
  readonly name: string
  /** Does some of the work; true if more may be waiting. */
  readonly pass: () => Promise<boolean>
  /** If undefined, only a wake-up starts the next pass. A function is asked after each pass. */
  readonly idleMs?: number | (() => number)
  /** Work that arrives within this time is done in one pass: under load, a pass for each would cost more than the work. */
  readonly spacingMs?: number
  readonly log: Logger
}

const afterErrorMs = 1_000
const usualSpacingMs = 25

/** Runs one pass after the other. After `idleMs` without a wake-up it looks by itself, so that a lost one only costs time. */
export const startLoop = ({ name, pass, idleMs, spacingMs = usualSpacingMs, log }: LoopOptions): Loop => {
  const stopping = new AbortController()
  const { signal } = stopping
  let isAwake = false
  let endRest = (): void => {}

  const rest = async (ms: number | undefined): Promise<void> => {
    if (isAwake || signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    endRest = resolve
    const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
    await promise
    clearTimeout(timer)
  }

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      isAwake = false
      const startedAt = performance.now()
      try {
        if (await pass()) continue
        await rest(typeof idleMs === 'function' ? idleMs() : idleMs)
        const left = startedAt + spacingMs - performance.now()
        if (left > 0) await delay(left, undefined, { signal }).catch(() => {})
      } catch (error) {
        log.error({ err: error }, `${name} failed and will be retried`)
        isAwake = false
        await rest(afterErrorMs)
      }
    }
  }

  const wake = (): void => {
    isAwake = true
    endRest()
  }
  const running = run()
  return {
    wake,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      endRest()
      await running
    },
  }
}
