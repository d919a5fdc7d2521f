import { availableParallelism } from 'node:os'
import { type Job, openPool, type RenderLog } from './process/pool.ts'
import { type CompanyLayout, PdfError, type PdfRequest } from './request.ts'
import { specimen } from './specimen.ts'

export type PdfRenderer = AsyncDisposable & {
  /** Rejects with a PdfError; when the signal aborts with its reason, while the rendering ends by itself. */
  readonly render: (request: PdfRequest, signal: AbortSignal) => Promise<Uint8Array>
  /** Renders a specimen, with a company's layout if there is one: rejects like `render` when that does not work. */
  readonly check: (signal: AbortSignal, layout?: CompanyLayout) => Promise<void>
}

export type PdfRendererOptions = {
  /** How many processes at most; they are started when there is work for them. */
  readonly workers?: number
  /** A process larger than this after a rendering is replaced. One twice as large is ended at once. */
  readonly maxResidentBytes?: number
  readonly deadlineMs?: number
  /** How many renderings may wait. */
  readonly maxWaiting?: number
  readonly log: RenderLog
}

const mostWorkers = 4
const mebibyte = 1_024 * 1_024

/** Makes PDF/A-3a of documents, in processes of its own: docs/decisions/0020-typst.md says why. */
export const createPdfRenderer = ({
  workers = Math.min(mostWorkers, availableParallelism()),
  maxResidentBytes = 400 * mebibyte,
  deadlineMs = 20_000,
  maxWaiting = 500,
  log,
}: PdfRendererOptions): PdfRenderer => {
  const pool = openPool({ workers, maxResidentBytes, deadlineMs, log })
  let isClosed = false

  const render: PdfRenderer['render'] = async (request, signal) => {
    signal.throwIfAborted()
    if (isClosed) throw new PdfError('busy', 'The renderer is closed')
    if (pool.waiting() >= maxWaiting) {
      throw new PdfError('busy', `${maxWaiting} documents are waiting already`)
    }
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    const job: Job = { request, resolve, reject }
    const abort = (): void => {
      pool.remove(job)
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
    pool.add(job)
    return promise.finally(() => signal.removeEventListener('abort', abort))
  }

  return {
    render,
    check: async (signal, layout) => {
      await render(layout === undefined ? specimen : { ...specimen, layout }, signal)
    },
    [Symbol.asyncDispose]: async () => {
      isClosed = true
      await pool[Symbol.asyncDispose]()
    },
  }
}
