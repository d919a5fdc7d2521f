import { Worker } from 'node:worker_threads'
import { PdfError } from '../request.ts'
import type { Order, Reply } from './messages.ts'

/** A thread that renders one document at a time. */
export type RenderThread = {
  readonly isAlive: () => boolean
  readonly render: (order: Order) => Promise<Uint8Array>
  readonly end: () => Promise<void>
}

export type ThreadLimits = {
  /** The processor time that one document may take. */
  readonly processorMs: number
  readonly maxHeapMegabytes: number
}

const checkEveryMs = 200

type Waiting = { readonly resolve: (pdf: Uint8Array) => void; readonly reject: (error: PdfError) => void }

export const startRenderThread = ({ processorMs, maxHeapMegabytes }: ThreadLimits): RenderThread => {
  const worker = new Worker(new URL('main.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
  })
  worker.unref()
  const state: { isAlive: boolean; waiting?: Waiting | undefined } = { isAlive: true }
  const settle = (outcome: (waiting: Waiting) => void): void => {
    const { waiting } = state
    state.waiting = undefined
    if (waiting !== undefined) outcome(waiting)
  }
  const fail = (failure: 'timed_out' | 'crashed', reason: string): void => {
    state.isAlive = false
    settle(({ reject }) => reject(new PdfError(failure, reason)))
  }
  worker.on('message', (reply: Reply) =>
    settle(({ resolve, reject }) =>
      'pdf' in reply ? resolve(reply.pdf) : reject(new PdfError(reply.failure, reply.message)),
    ),
  )
  worker.on('error', (error) => fail('crashed', error.message))
  worker.on('exit', () => fail('crashed', 'The thread ended'))
  const end = async (): Promise<void> => {
    state.isAlive = false
    await worker.terminate()
  }
  return {
    isAlive: () => state.isAlive,
    end,
    render: async (order) => {
      const start = await processorTime(worker)
      const check = setInterval(() => {
        void processorTime(worker).then((now) => {
          if (now - start <= processorMs || state.waiting === undefined) return
          fail('timed_out', `The PDF took more than ${processorMs} ms of processor time`)
          void end()
        })
      }, checkEveryMs)
      const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
      state.waiting = { resolve, reject }
      if (state.isAlive) worker.postMessage(order)
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
