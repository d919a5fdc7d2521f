import { setTimeout as delay } from 'node:timers/promises'

export type Patience = {
  /** What is waited for, for whoever reads that it did not come. */
  readonly what?: string | (() => string)
  readonly withinMs?: number
  readonly everyMs?: number
}

/** What a look finds, as soon as it finds something: for what other parties do and nothing here announces. */
export const eventually = async <T>(
  look: () => T | false | undefined | Promise<T | false | undefined>,
  { what = 'what was waited for', withinMs = 20_000, everyMs = 10 }: Patience = {},
): Promise<T> => {
  const until = performance.now() + withinMs
  for (;;) {
    const seen = await look()
    if (seen !== false && seen !== undefined) return seen
    if (performance.now() > until) {
      throw new Error(`Not within ${withinMs} ms: ${typeof what === 'string' ? what : what()}`)
    }
    await delay(everyMs)
  }
}

/** A list once it satisfies; the start of it, as it was last, where it does not. */
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

/** What an attempt gives once it no longer fails; its last error, where it fails to the end. */
export const onceItWorks = async <T>(
  attempt: () => Promise<T>,
  { withinMs = 20_000, everyMs = 20 }: Omit<Patience, 'what'> = {},
): Promise<T> => {
  const until = performance.now() + withinMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > until) throw error
      await delay(everyMs)
    }
  }
}
