import { availableParallelism } from 'node:os'
import { type Job, openPool, type RenderLog } from './process/pool.ts'
import { type CompanyLayout, PdfError, type PdfRequest } from './request.ts'
import { specimen } from './specimen.ts'

export type PdfRenderer = AsyncDisposable & {
  /**
   * Rejects with a PdfError, or with the reason of the signal if it aborts; the rendering itself then runs to its end.
   */
  readonly render: (request: PdfRequest, signal: AbortSignal) => Promise<Uint8Array>
  /** Renders a specimen, with the layout if given. Rejects as `render` does. */
  readonly check: (signal: AbortSignal, layout?: CompanyLayout) => Promise<void>
}

export type PdfRendererOptions = {
  /** The maximum number of processes; they start when there is work. */
  readonly workers?: number
  /** A process larger than this after a rendering is replaced. A process twice as large is killed at once. */
  readonly maxResidentBytes?: number
  readonly deadlineMs?: number
  /** The maximum number of waiting renderings. */
  readonly maxWaiting?: number
  readonly log: RenderLog
}

const defaultMaxWorkers = 4
const mebibyte = 1_024 * 1_024

/** Renders documents as PDF/A-3a in separate processes; docs/decisions/0020-typst.md says why. */
export const createPdfRenderer = ({
  workers = Math.min(defaultMaxWorkers, availableParallelism()),
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
      throw new PdfError('busy', `${maxWaiting} documents are already waiting`)
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
