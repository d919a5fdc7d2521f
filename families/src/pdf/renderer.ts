import { availableParallelism } from 'node:os'
import { tooLongForPaper } from '../model/paper-limits.ts'
import { type Job, openPool, type RenderLog } from './threads/pool.ts'
import { PdfError, type PdfRequest } from './request.ts'

export type PdfRenderer = AsyncDisposable & {
  /**
   * Rejects with a PdfError, or with the reason of the signal if it aborts; the rendering itself then runs to its end.
   */
  readonly render: (request: PdfRequest, signal: AbortSignal) => Promise<Uint8Array>
}

export type PdfRendererOptions = {
  /** The maximum number of threads; they start when there is work. */
  readonly workers?: number
  /** The processor time that one document may take. */
  readonly processorMs?: number
  readonly maxHeapMegabytes?: number
  /** The maximum number of waiting renderings. */
  readonly maxWaiting?: number
  readonly log: RenderLog
}

const defaultMaxWorkers = 4

/** Renders documents as PDF/A-3a and PDF/UA-1 in separate threads; docs/decisions/0033-pdf-writer.md says why. */
export const createPdfRenderer = ({
  workers = Math.min(defaultMaxWorkers, availableParallelism()),
  processorMs = 5_000,
  maxHeapMegabytes = 400,
  maxWaiting = 500,
  log,
}: PdfRendererOptions): PdfRenderer => {
  const pool = openPool({ workers, processorMs, maxHeapMegabytes, log })
  let isClosed = false
  return {
    render: async (request, signal) => {
      signal.throwIfAborted()
      if (isClosed) throw new PdfError('busy', 'The renderer is closed')
      if (pool.waiting() >= maxWaiting)
        throw new PdfError('busy', `${maxWaiting} documents are already waiting`)
      const excess = tooLongForPaper(request.document, 'document')
      if (excess !== undefined) throw new PdfError('refused', `The document ${excess.reason}`)
      const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
      const job: Job = { request, resolve, reject }
      const abort = (): void => {
        pool.remove(job)
        reject(signal.reason)
      }
      signal.addEventListener('abort', abort, { once: true })
      pool.add(job)
      return promise.finally(() => signal.removeEventListener('abort', abort))
    },
    [Symbol.asyncDispose]: async () => {
      isClosed = true
      await pool[Symbol.asyncDispose]()
    },
  }
}
