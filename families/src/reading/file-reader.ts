import { availableParallelism } from 'node:os'
import { CertificateUnreadable } from '../certificate/read-certificate.ts'
import { type Job, openPool } from '../threads/pool.ts'
import { ThreadEnded } from '../threads/task-thread.ts'
import { takingTurns } from './fair-queue.ts'
import type { Reply } from './messages.ts'
import type { ReadFile } from './read-file.ts'
import { createSpending } from './spending.ts'

/** Reads files of strangers in separate threads: no file can keep the main thread from its work. */
export type FileReader = AsyncDisposable & {
  /** Rejects with CertificateUnreadable or ReadingRefused. */
  readonly read: (bytes: Uint8Array, client: string) => Promise<ReadFile>
}

export type FileReaderOptions = {
  readonly log: { readonly warn: (fields: object, message: string) => void }
  readonly nowMs: () => number
  readonly workers?: number
  /** The processor time that one file may take. */
  readonly processorMs?: number
  readonly maxHeapMegabytes?: number
  /** The maximum number of waiting files. */
  readonly maxWaiting?: number
  readonly maxWaitingPerClient?: number
  /** The processor time that the files of one client may take in a minute; 0 means no limit. */
  readonly processorMsPerMinute?: number
}

export class ReadingRefused extends Error {
  override readonly name = 'ReadingRefused'
  /** `too_costly`: the file itself. `too_many`: the files of this client. `busy`: the files of all clients. */
  readonly reason: 'too_costly' | 'too_many' | 'busy'
  readonly retryAfterSeconds: number

  constructor(reason: 'too_costly' | 'too_many' | 'busy', retryAfterSeconds: number) {
    super(`Not read: ${reason}`)
    this.reason = reason
    this.retryAfterSeconds = retryAfterSeconds
  }
}

type ReadJob = Job<Uint8Array, Reply> & { readonly client: string }

/** One processor is left to the main thread. */
const defaultWorkers = (): number => Math.max(1, Math.min(4, availableParallelism() - 1))

export const createFileReader = ({
  log,
  nowMs,
  workers = defaultWorkers(),
  processorMs = 1_000,
  maxHeapMegabytes = 256,
  maxWaiting = 1_000,
  maxWaitingPerClient = 100,
  processorMsPerMinute = 2_000,
}: FileReaderOptions): FileReader => {
  const queue = takingTurns<ReadJob>()
  const spending = createSpending({ nowMs, perMinute: processorMsPerMinute })
  const pool = openPool<Uint8Array, Reply, ReadJob>(queue, {
    script: new URL('main.ts', import.meta.url),
    workers,
    processorMs,
    maxHeapMegabytes,
    checkEveryMs: 50,
    onReplaced: ({ failure, message }) =>
      log.warn({ failure, reason: message }, 'Replacing a thread that reads files'),
  })
  return {
    read: async (bytes, client) => {
      const blockedSeconds = spending.blockedSeconds(client)
      if (blockedSeconds > 0) throw new ReadingRefused('too_many', blockedSeconds)
      if (queue.sizeOf(client) >= maxWaitingPerClient) throw new ReadingRefused('too_many', 5)
      if (queue.size() >= maxWaiting) throw new ReadingRefused('busy', 5)
      const { promise, resolve, reject } = Promise.withResolvers<Reply>()
      pool.add({ task: ownBytes(bytes), client, resolve, reject })
      try {
        const reply = await promise
        spending.add(client, reply.processorMs)
        return resultOf(reply)
      } catch (error) {
        if (!(error instanceof ThreadEnded)) throw error
        if (error.failure === 'busy') throw new ReadingRefused('busy', 5)
        spending.add(client, processorMs)
        throw new ReadingRefused('too_costly', 0)
      }
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

/** Sending a view copies all of the memory behind it. */
const ownBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)

const resultOf = (reply: Reply): ReadFile => {
  if ('read' in reply) return reply.read
  if ('failed' in reply) throw new Error(`A file could not be read: ${reply.failed}`)
  const { reason, pointer, tooLarge } = reply.unreadable
  throw new CertificateUnreadable(reason, { pointer, tooLarge })
}
