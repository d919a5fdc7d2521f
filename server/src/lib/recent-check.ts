import { within } from './within.ts'
import { deadlineSignal } from './deadline.ts'

export type CheckResult = { readonly error: string | undefined }

type Options = {
  /** Rejects with the reason, at the latest when the signal aborts. */
  readonly check: (signal: AbortSignal) => Promise<void>
  /** A result older than this is replaced. */
  readonly maxAgeMs: number
  /** How long a call waits for a new result before it returns the previous one. */
  readonly waitMs: number
  readonly deadlineMs: number
}

/** Answers quickly about something slow. Undefined if there is no result yet. */
export const createRecentCheck = ({
  check,
  maxAgeMs,
  waitMs,
  deadlineMs,
}: Options): (() => Promise<CheckResult | undefined>) => {
  let last: (CheckResult & { readonly at: number }) | undefined
  let running: Promise<void> | undefined
  const run = async (): Promise<void> => {
    const error = await check(deadlineSignal(deadlineMs)).then(
      () => undefined,
      (reason: unknown) => (reason instanceof Error ? reason.message : 'failed'),
    )
    last = { error, at: performance.now() }
    running = undefined
  }
  return async () => {
    if (last === undefined || performance.now() - last.at > maxAgeMs) {
      running ??= run()
      await within(waitMs, running)
    }
    return last
  }
}
