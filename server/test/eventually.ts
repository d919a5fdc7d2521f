import { setTimeout as delay } from 'node:timers/promises'

export type Patience = {
  /** What the test waits for; part of the error if it does not happen. */
  readonly what?: string | (() => string)
  readonly everyMs?: number
}

/**
 * So long that only a fault exceeds it, even on a busy machine, but shorter than the limit of a test file, because this
 * error says what was missing.
 */
const givesUpAfterMs = 600_000

/** For a setting that is a deadline, in a test that is not about deadlines. */
export const generousMs = givesUpAfterMs

/** For a call that takes a deadline, in a test that is not about deadlines. */
export const generousDeadline = (): AbortSignal => AbortSignal.timeout(givesUpAfterMs)

/** Returns what `look` finds as soon as it finds something. Use it if there is no event to wait for. */
export const eventually = async <T>(
  look: () => T | false | undefined | Promise<T | false | undefined>,
  { what = 'the expected state', everyMs = 10 }: Patience = {},
): Promise<T> => {
  const until = performance.now() + givesUpAfterMs
  for (;;) {
    const seen = await look()
    if (seen !== false && seen !== undefined) return seen
    if (performance.now() > until) {
      throw new Error(`Did not come: ${typeof what === 'string' ? what : what()}`)
    }
    await delay(everyMs)
  }
}

/** Returns the list as soon as it satisfies the condition. */
export const listedOnce = async <T>(
  list: () => Promise<readonly T[]>,
  satisfied: (found: readonly T[]) => boolean,
): Promise<readonly T[]> => {
  let found: readonly T[] = []
  await eventually(
    async () => {
      found = await list()
      return satisfied(found)
    },
    { what: () => JSON.stringify(found.slice(0, 3)), everyMs: 20 },
  )
  return found
}

/** Returns what `attempt` returns as soon as it succeeds; throws its last error if it never does. */
export const onceItWorks = async <T>(
  attempt: () => Promise<T>,
  { everyMs = 20 }: Pick<Patience, 'everyMs'> = {},
): Promise<T> => {
  const until = performance.now() + givesUpAfterMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > until) throw error
      await delay(everyMs)
    }
  }
}
