import { setTimeout as pause } from 'node:timers/promises'
import type { NoteKey } from '@millseal/proof'
import { readContinuation, type SignedCheckpoint } from './continuation.ts'
import { type HttpLog, LogUnreachable } from '@millseal/node/http-log'

type Watch = {
  readonly log: HttpLog
  readonly key: NoteKey
  /** The checkpoints that the log must continue. */
  readonly known: readonly SignedCheckpoint[]
  readonly everyMs: number
  readonly signal: AbortSignal
  /** Called with each checkpoint that continues all before it. */
  readonly onContinued: (newest: SignedCheckpoint, before: SignedCheckpoint | undefined) => Promise<void>
  readonly onUnreachable: (error: LogUnreachable) => void
}

/** Runs until the signal, or until the log does not continue: then it throws `LogsApart`. Keeps trying while there is no answer. */
export const watchLog = async ({ log, key, everyMs, signal, ...watch }: Watch): Promise<void> => {
  let { known } = watch
  while (!signal.aborted) {
    try {
      const newest = await readContinuation(log, { known, key })
      await watch.onContinued(newest, known[0])
      known = [newest]
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof LogUnreachable)) throw error
      watch.onUnreachable(error)
    }
    await pause(everyMs, undefined, { signal }).catch(() => {})
  }
}
