import { layouts } from '../../families/index.ts'
import { PdfError, type PdfRequest } from '../request.ts'
import { type RenderProcess, startRenderProcess } from './render-process.ts'

export type RenderLog = { readonly warn: (fields: object, message: string) => void }

export type PoolOptions = {
  readonly workers: number
  readonly maxResidentBytes: number
  readonly deadlineMs: number
  readonly log: RenderLog
}

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

/**
 * A pool of processes with one job each at a time. They start when there is work and are replaced if they die or grow.
 */
export const openPool = ({ workers, maxResidentBytes, deadlineMs, log }: PoolOptions): Pool => {
  const queue: Job[] = []
  const idle: RenderProcess[] = []
  const busy = new Set<RenderProcess>()
  const state = { isClosed: false }

  const acquireProcess = (): RenderProcess | undefined => {
    let found = idle.pop()
    while (found !== undefined && !found.isAlive()) found = idle.pop()
    if (found !== undefined || busy.size >= workers) return found
    return startRenderProcess({ maxResidentBytes: 2 * maxResidentBytes, layouts })
  }

  const next = (): void => {
    while (queue.length > 0 && !state.isClosed) {
      const process = acquireProcess()
      const job = process === undefined ? undefined : queue.shift()
      if (process === undefined || job === undefined) return
      busy.add(process)
      void work(process, job).finally(next)
    }
  }

  const work = async (process: RenderProcess, { request, resolve, reject }: Job): Promise<void> => {
    try {
      const { pdf, residentBytes } = await process.render(request, deadlineMs)
      if (residentBytes > maxResidentBytes) await process.end()
      resolve(pdf)
    } catch (error) {
      if (error instanceof PdfError && !process.isAlive()) {
        log.warn({ failure: error.failure, reason: error.message }, 'Replacing a PDF rendering process')
      }
      reject(error)
    } finally {
      busy.delete(process)
      if (process.isAlive()) idle.push(process)
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
      await Promise.all([...idle.splice(0), ...busy].map((process) => process.end()))
    },
  }
}
