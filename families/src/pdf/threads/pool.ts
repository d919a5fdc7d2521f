import { layouts } from '../../families/index.ts'
import { PdfError, type PdfRequest } from '../request.ts'
import { type RenderThread, startRenderThread, type ThreadLimits } from './render-thread.ts'

export type RenderLog = { readonly warn: (fields: object, message: string) => void }

export type PoolOptions = ThreadLimits & { readonly workers: number; readonly log: RenderLog }

export type Pool = AsyncDisposable & {
  /** The number of waiting jobs. */
  readonly waiting: () => number
  readonly add: (job: Job) => void
  /** Removes a waiting job; a job that is being rendered runs to its end. */
  readonly remove: (job: Job) => void
}

export type Job = {
  readonly request: PdfRequest
  readonly resolve: (pdf: Uint8Array) => void
  readonly reject: (reason: unknown) => void
}

/** A pool of threads with one job each at a time. They start when there is work and are replaced if they end. */
export const openPool = ({ workers, log, ...limits }: PoolOptions): Pool => {
  const queue: Job[] = []
  const idle: RenderThread[] = []
  const busy = new Set<RenderThread>()
  const state = { isClosed: false }

  const acquireThread = (): RenderThread | undefined => {
    let found = idle.pop()
    while (found !== undefined && !found.isAlive()) found = idle.pop()
    if (found !== undefined || busy.size >= workers) return found
    return startRenderThread(limits)
  }

  const next = (): void => {
    while (queue.length > 0 && !state.isClosed) {
      const thread = acquireThread()
      const job = thread === undefined ? undefined : queue.shift()
      if (thread === undefined || job === undefined) return
      busy.add(thread)
      void work(thread, job).finally(next)
    }
  }

  const work = async (thread: RenderThread, { request, resolve, reject }: Job): Promise<void> => {
    try {
      resolve(await thread.render({ request, accent: layouts[request.document.family]?.accent }))
    } catch (error) {
      if (error instanceof PdfError && !thread.isAlive() && !state.isClosed)
        log.warn({ failure: error.failure, reason: error.message }, 'Replacing a thread that renders PDFs')
      reject(error)
    } finally {
      busy.delete(thread)
      if (thread.isAlive()) idle.push(thread)
    }
  }

  return {
    waiting: () => queue.length,
    add: (job) => {
      queue.push(job)
      next()
    },
    remove: (job) => {
      const place = queue.indexOf(job)
      if (place >= 0) queue.splice(place, 1)
    },
    [Symbol.asyncDispose]: async () => {
      state.isClosed = true
      for (const { reject } of queue.splice(0)) reject(new PdfError('busy', 'The renderer is closed'))
      await Promise.all([...idle.splice(0), ...busy].map((thread) => thread.end()))
    },
  }
}
