import { Worker } from 'node:worker_threads'

/** A thread that does one task at a time. */
export type TaskThread<Task, Result> = {
  readonly isAlive: () => boolean
  readonly run: (task: Task) => Promise<Result>
  readonly end: () => Promise<void>
}

export type ThreadLimits = {
  /** The processor time that one task may take. */
  readonly processorMs: number
  readonly maxHeapMegabytes: number
  /** How often the processor time is looked at; the time before the first look is not counted. */
  readonly checkEveryMs: number
}

type Failure =
  /** The task took too much processor time, so the thread was ended. */
  | 'timed_out'
  /** The thread ended itself, for instance because it needed too much memory. */
  | 'crashed'
  /** The pool was closed while the task waited. */
  | 'busy'

/** Other tasks are not affected. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded'
  readonly failure: Failure

  constructor(failure: Failure, message: string) {
    super(message)
    this.failure = failure
  }
}

type Waiting<Result> = {
  readonly resolve: (result: Result) => void
  readonly reject: (error: ThreadEnded) => void
}

/** `script` answers each message, a task, with one message, the result. */
export const startTaskThread = <Task, Result>(
  script: URL,
  { processorMs, maxHeapMegabytes, checkEveryMs }: ThreadLimits,
): TaskThread<Task, Result> => {
  const worker = new Worker(script, {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
  })
  worker.unref()
  const state: { isAlive: boolean; waiting?: Waiting<Result> | undefined } = { isAlive: true }
  const settle = (outcome: (waiting: Waiting<Result>) => void): void => {
    const { waiting } = state
    state.waiting = undefined
    if (waiting !== undefined) outcome(waiting)
  }
  const fail = (failure: Failure, reason: string): void => {
    state.isAlive = false
    settle(({ reject }) => reject(new ThreadEnded(failure, reason)))
  }
  worker.on('message', (result: Result) => settle(({ resolve }) => resolve(result)))
  worker.on('error', (error) => fail('crashed', error.message))
  worker.on('exit', () => fail('crashed', 'The thread ended'))
  const end = async (): Promise<void> => {
    state.isAlive = false
    // Otherwise the process may end here, before those who wait have closed what they opened.
    worker.ref()
    await worker.terminate()
  }
  return {
    isAlive: () => state.isAlive,
    end,
    run: async (task) => {
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      // Not asked at the start: that would interrupt the thread for each task, and most end before the first look.
      let started: number | undefined
      const check = setInterval(() => {
        void processorTime(worker).then((now) => {
          started ??= now
          if (now - started <= processorMs || state.waiting === undefined) return
          fail('timed_out', `More than ${processorMs} ms of processor time`)
          void end()
        })
      }, checkEveryMs)
      state.waiting = { resolve, reject }
      if (state.isAlive) worker.postMessage(task)
      else fail('crashed', 'The thread ended')
      return promise.finally(() => clearInterval(check))
    },
  }
}

const processorTime = async (worker: Worker): Promise<number> => {
  try {
    const { user, system } = await worker.cpuUsage()
    return (user + system) / 1_000
  } catch {
    // The thread has ended, which another event tells.
    return 0
  }
}
