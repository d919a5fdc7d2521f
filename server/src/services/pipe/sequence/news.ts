import type { Database } from '../../../ports/database/database.ts'
import { sequenceChannel } from '../events/outbox.store.ts'

export type News = AsyncDisposable & {
  /** Resolves when the company may have a new event. Call it before you read what there is. */
  next(companyId: string): Promise<void>
  /** Resolves when this is disposed of: nobody should wait any longer. */
  readonly over: Promise<void>
}

/** Listens from the first question on, with one connection for all who wait. */
export const createNews = ({ listen }: Database): News => {
  const waiting = new Map<string, PromiseWithResolvers<void>>()
  const over = Promise.withResolvers<void>()
  let listening: AsyncDisposable | undefined

  const tell = (named?: string): void => {
    const told = named === undefined || named === '' ? [...waiting.keys()] : named.split(' ')
    for (const companyId of told) {
      waiting.get(companyId)?.resolve()
      waiting.delete(companyId)
    }
  }
  return {
    over: over.promise,
    next(companyId) {
      listening ??= listen(sequenceChannel, tell)
      const expected = waiting.get(companyId) ?? Promise.withResolvers<void>()
      waiting.set(companyId, expected)
      return expected.promise
    },
    async [Symbol.asyncDispose]() {
      over.resolve()
      await listening?.[Symbol.asyncDispose]()
    },
  }
}
