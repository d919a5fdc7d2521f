import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'

export type Loop = AsyncDisposable & {
  /** There may be something to do. */
  wake(): void
}

export type LoopOptions = {
  readonly name: string
  /** Does some of what there is to do; true when more may be waiting. */
  readonly pass: () => Promise<boolean>
  readonly idleMs: number
  readonly log: Pick<Logger, 'error'>
}

const afterErrorMs = 1_000
/** What comes within this time is done in one pass: under load a pass for each would cost more than the work. */
const spacingMs = 25

/** Passes one after the other; looks by itself after a while, so that a lost wake-up costs time and nothing else. */
export const startLoop = ({ name, pass, idleMs, log }: LoopOptions): Loop => {
  const stopping = new AbortController()
  const { signal } = stopping
  let isAwake = false
  let rouse = (): void => {}

  const rest = async (ms: number): Promise<void> => {
    if (isAwake || signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    rouse = resolve
    const timer = setTimeout(resolve, ms)
    await promise
    clearTimeout(timer)
  }

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      isAwake = false
      const beganAt = performance.now()
      try {
        if (await pass()) continue
        await rest(idleMs)
        const left = beganAt + spacingMs - performance.now()
        if (left > 0) await delay(left, undefined, { signal }).catch(() => {})
      } catch (error) {
        log.error({ err: error }, `${name} failed and goes on in a moment`)
        isAwake = false
        await rest(afterErrorMs)
      }
    }
  }

  const wake = (): void => {
    isAwake = true
    rouse()
  }
  const running = run()
  return {
    wake,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      rouse()
      await running
    },
  }
}
