import type { Query } from '../../ports/database/database.ts'
import { dueKinds } from './job-table.ts'
import { pollMs } from './settings.ts'

export type PollerOptions = {
  readonly query: Query
  readonly kinds: readonly string[]
  readonly onDue: (kind: string) => void
  readonly onError: (error: unknown) => void
}

/** Asks once a second which kinds have a due job: retries, delayed jobs, and jobs whose notification was lost. */
export const startPoller = ({ query, kinds, onDue, onError }: PollerOptions): AsyncDisposable => {
  const stopping = Promise.withResolvers<void>()
  let stopped = false
  const pause = async (): Promise<void> => {
    const over = Promise.withResolvers<void>()
    const timer = setTimeout(over.resolve, pollMs)
    await Promise.race([over.promise, stopping.promise])
    clearTimeout(timer)
  }
  const run = async (): Promise<void> => {
    while (!stopped) {
      try {
        for (const kind of await dueKinds(query, kinds)) onDue(kind)
      } catch (error) {
        onError(error)
      }
      await pause()
    }
  }
  const running = run()
  return {
    async [Symbol.asyncDispose]() {
      stopped = true
      stopping.resolve()
      await running
    },
  }
}
