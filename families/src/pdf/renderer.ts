import { availableParallelism } from 'node:os'
import { because } from '@millseal/contract/reasons'
import { tooLongForPaper } from '../model/paper-limits.ts'
import { layouts } from '../families/index.ts'
import { inOrder, type Job, openPool } from '../threads/pool.ts'
import { ThreadEnded } from '../threads/task-thread.ts'
import { PdfError, type PdfRequest } from './request.ts'
import type { Order, Reply } from './threads/messages.ts'

export type RenderLog = { readonly warn: (fields: object, message: string) => void }

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
  /** How often the processor time is looked at. */
  readonly checkEveryMs?: number
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
  checkEveryMs = 200,
  maxHeapMegabytes = 400,
  maxWaiting = 500,
  log,
}: PdfRendererOptions): PdfRenderer => {
  const queue = inOrder<Job<Order, Reply>>()
  const toPdfError = ({ failure, message }: ThreadEnded): PdfError =>
    failure === 'timed_out'
      ? new PdfError(failure, because('pdf_too_slow', { most: processorMs }))
      : new PdfError(failure, because('pdf_failed', { why: message }))
  const pool = openPool<Order, Reply>(queue, {
    script: new URL('threads/main.ts', import.meta.url),
    workers,
    processorMs,
    checkEveryMs,
    maxHeapMegabytes,
    onReplaced: (error) => {
      const { failure, message } = toPdfError(error)
      log.warn({ failure, reason: message }, 'Replacing a thread that renders PDFs')
    },
  })
  let isClosed = false
  return {
    render: async (request, signal) => {
      signal.throwIfAborted()
      if (isClosed) throw new PdfError('busy', because('renderer_closed'))
      if (queue.size() >= maxWaiting)
        throw new PdfError('busy', because('renderer_full', { waiting: maxWaiting }))
      const excess = tooLongForPaper(request.document, 'document')
      if (excess !== undefined)
        throw new PdfError('refused', because('document_refused', { flaw: excess.reason }))
      const { promise, resolve, reject } = Promise.withResolvers<Reply>()
      const accent = layouts[request.document.family]?.accent
      const job: Job<Order, Reply> = { task: { request, accent }, resolve, reject }
      const abort = (): void => {
        queue.remove(job)
        reject(signal.reason)
      }
      signal.addEventListener('abort', abort, { once: true })
      pool.add(job)
      try {
        const reply = await promise
        if ('pdf' in reply) return reply.pdf
        throw new PdfError(reply.failure, reply.reason)
      } catch (error) {
        throw error instanceof ThreadEnded ? toPdfError(error) : error
      } finally {
        signal.removeEventListener('abort', abort)
      }
    },
    [Symbol.asyncDispose]: async () => {
      isClosed = true
      await pool[Symbol.asyncDispose]()
    },
  }
}
