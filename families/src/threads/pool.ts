import { startTaskThread, type TaskThread, ThreadEnded, type ThreadLimits } from './task-thread.ts'

export type PoolOptions = ThreadLimits & {
  /** Runs in each thread. */
  readonly script: URL
  readonly workers: number
  /** Called if a thread ended itself, or had to be ended. */
  readonly onReplaced: (error: ThreadEnded) => void
}

export type Job<Task, Result> = {
  readonly task: Task
  readonly resolve: (result: Result) => void
  readonly reject: (reason: unknown) => void
}

/** The waiting jobs, in the order in which they are done. */
export type Queue<J> = {
  readonly add: (job: J) => void
  readonly next: () => J | undefined
  readonly size: () => number
}

export type Pool<J> = AsyncDisposable & { readonly add: (job: J) => void }

export const inOrder = <J>(): Queue<J> & { readonly remove: (job: J) => void } => {
  const waiting: J[] = []
  return {
    add: (job) => void waiting.push(job),
    remove: (job) => {
      const place = waiting.indexOf(job)
      if (place >= 0) waiting.splice(place, 1)
    },
    next: () => waiting.shift(),
    size: () => waiting.length,
  }
}

/** A pool of threads with one job each at a time. They start when there is work and are replaced if they end. */
export const openPool = <Task, Result, J extends Job<Task, Result> = Job<Task, Result>>(
  queue: Queue<J>,
  { script, workers, onReplaced, ...limits }: PoolOptions,
): Pool<J> => {
  type Thread = TaskThread<Task, Result>
  const idle: Thread[] = []
  const busy = new Set<Thread>()
  const state = { isClosed: false }

  const acquireThread = (): Thread | undefined => {
    let found = idle.pop()
    while (found !== undefined && !found.isAlive()) found = idle.pop()
    if (found !== undefined || busy.size >= workers) return found
    return startTaskThread<Task, Result>(script, limits)
  }

  const next = (): void => {
    while (queue.size() > 0 && !state.isClosed) {
      const thread = acquireThread()
      const job = thread === undefined ? undefined : queue.next()
      if (thread === undefined || job === undefined) return
      busy.add(thread)
      void work(thread, job).finally(next)
    }
  }

  const work = async (thread: Thread, { task, resolve, reject }: J): Promise<void> => {
    try {
      resolve(await thread.run(task))
    } catch (error) {
      if (error instanceof ThreadEnded && !state.isClosed) onReplaced(error)
      reject(error)
    } finally {
      busy.delete(thread)
      if (thread.isAlive()) idle.push(thread)
    }
  }

  return {
    add: (job) => {
      queue.add(job)
      next()
    },
    [Symbol.asyncDispose]: async () => {
      state.isClosed = true
      for (let job = queue.next(); job !== undefined; job = queue.next())
        job.reject(new ThreadEnded('busy', 'The pool is closed'))
      await Promise.all([...idle.splice(0), ...busy].map((thread) => thread.end()))
    },
  }
}
