/** Runs `work` when woken, and `everyMs()` after each run, one run at a time. A call of `wake` during a run causes another one after it. */
export const createRepeater = ({
  work,
  everyMs,
  onError,
}: {
  readonly work: () => Promise<void>
  readonly everyMs: () => number
  readonly onError: (error: unknown) => void
}) => {
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isDue = false
  let stopped = false

  const runWhileDue = async (): Promise<void> => {
    while (isDue) {
      isDue = false
      await work().catch(onError)
    }
    running = undefined
    rest()
  }
  const rest = (): void => {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(wake, everyMs())
  }
  const wake = (): void => {
    if (stopped) return
    isDue = true
    running ??= runWhileDue()
  }
  return {
    wake,
    /** Rejects with the error of the first run; then it does not repeat. */
    async start(): Promise<void> {
      running = work()
      try {
        await running
      } finally {
        running = undefined
      }
      rest()
    },
    async [Symbol.asyncDispose](): Promise<void> {
      stopped = true
      isDue = false
      clearTimeout(timer)
      // `start` has reported an error of the first run to its caller.
      await running?.catch(() => {})
    },
  }
}
