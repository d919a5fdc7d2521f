/** How often running time is counted while a deadline waits. */
const everyMs = 100
/** What a longer gap counts: this process was stopped during it, or the machine ran others. */
const longestGapMs = 250
/** What lies in a socket passes through TLS, HTTP and streams: each may need a round of the event loop of its own. */
const rounds = 8

let runMs = 0
let countedAt = performance.now()
let waiting = 0
let counting: NodeJS.Timeout | undefined

/** Grows while this process runs. It counts only while a deadline waits. */
const runningMs = (): number => {
  const now = performance.now()
  runMs += Math.min(now - countedAt, longestGapMs)
  countedAt = now
  return runMs
}

const count = (): void => {
  runningMs()
  if (waiting > 0) return
  clearInterval(counting)
  counting = undefined
}

export type Deadline = Disposable & {
  /** Does not keep the process alive. */
  unref(): Deadline
}

/**
 * Calls `end` after this process has run for so long, unless disposed of before. The time of a stop (a paused machine, a
 * suspended process) does not count, and what has arrived is read before `end` is called.
 */
export const startDeadline = (ms: number, end: () => void): Deadline => {
  const startedAt = runningMs()
  waiting += 1
  counting ??= setInterval(count, everyMs).unref()
  let timer: NodeJS.Timeout | NodeJS.Immediate
  let isOver = false
  let keepsAlive = true

  const wait = (next: NodeJS.Timeout | NodeJS.Immediate): void => {
    timer = next
    if (!keepsAlive) timer.unref()
  }
  const settle = (): boolean => {
    if (isOver) return false
    isOver = true
    waiting -= 1
    return true
  }
  const read = (left: number): void => {
    if (left > 0) wait(setImmediate(read, left - 1))
    else if (settle()) end()
  }
  const look = (): void => {
    const left = ms - (runningMs() - startedAt)
    if (left > 0) wait(setTimeout(look, Math.ceil(left)))
    else read(rounds)
  }
  wait(setTimeout(look, ms))

  const deadline: Deadline = {
    unref() {
      keepsAlive = false
      timer.unref()
      return deadline
    },
    [Symbol.dispose]() {
      if (!settle()) return
      clearTimeout(timer as NodeJS.Timeout)
      clearImmediate(timer as NodeJS.Immediate)
    },
  }
  return deadline
}

/** Aborts with the other signals, or after this process has run for so long: see `startDeadline`. */
export const deadlineSignal = (ms: number, ...others: readonly AbortSignal[]): AbortSignal => {
  const late = new AbortController()
  const end = (): void => late.abort(new DOMException(`No answer within ${ms} ms`, 'TimeoutError'))
  startDeadline(ms, end).unref()
  return others.length === 0 ? late.signal : AbortSignal.any([late.signal, ...others])
}
