import { remember } from '../../../lib/remember.ts'
import { requestsPerReceiver } from '../../../ports/courier/courier.ts'

/** How many requests one webhook gets at once. */
export const least = 4
/** An answer that takes longer says that the receiver has enough to do. */
const slowMs = 1_000
const rememberedHooks = 1_000

export type Ended = { readonly delivered: boolean; readonly durationMs: number }

/** Gives receivers that answer fast more requests at once, as long as they do. */
export type Pacing = {
  begin(hookId: string): void
  end(hookId: string, ended: Ended | undefined): void
  /** Webhooks that may have more than `least` at once. */
  readonly more: ReadonlyMap<string, number>
}

export const createPacing = (): Pacing => {
  const running = new Map<string, number>()
  const more = new Map<string, number>()
  return {
    more,
    begin(hookId) {
      running.set(hookId, (running.get(hookId) ?? 0) + 1)
    },
    end(hookId, ended) {
      const atOnce = running.get(hookId) ?? 1
      if (atOnce > 1) running.set(hookId, atOnce - 1)
      else running.delete(hookId)
      if (ended === undefined) return
      const limit = more.get(hookId) ?? least
      const next = nextLimit(limit, ended, atOnce)
      if (next === least) more.delete(hookId)
      else if (next !== limit) remember(more, { key: hookId, value: next, atMost: rememberedHooks })
    },
  }
}

/** Each fast answer allows one more, if the receiver had at least half of what it may have. */
const nextLimit = (limit: number, { delivered, durationMs }: Ended, atOnce: number): number => {
  if (!delivered) return least
  if (durationMs > slowMs) return Math.max(least, Math.floor(limit / 2))
  return atOnce * 2 >= limit ? Math.min(requestsPerReceiver, limit + 1) : limit
}
