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
  /** How many wait. */
  readonly waiting: () => number
  readonly add: (job: Job) => void
  /** Takes back a job that waits; one that is being rendered ends by itself. */
  readonly remove: (job: Job) => void
}

export type Job = {
  readonly request: PdfRequest
  readonly resolve: (pdf: Uint8Array) => void
  readonly reject: (reason: unknown) => void
}

/** Processes that are started when there is work, replaced when they die or grow, and given one job at a time. */
export const openPool = ({ workers, maxResidentBytes, deadlineMs, log }: PoolOptions): Pool => {
  const queue: Job[] = []
  const idle: RenderProcess[] = []
  const busy = new Set<RenderProcess>()
  const state = { isClosed: false }

  const takeProcess = (): RenderProcess | undefined => {
    let found = idle.pop()
    while (found !== undefined && !found.isAlive()) found = idle.pop()
    if (found !== undefined || busy.size >= workers) return found
    return startRenderProcess({ mostResidentBytes: 2 * maxResidentBytes })
  }

  const next = (): void => {
    while (queue.length > 0 && !state.isClosed) {
      const process = takeProcess()
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
        log.warn({ failure: error.failure, reason: error.message }, 'a process that renders PDFs is replaced')
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
