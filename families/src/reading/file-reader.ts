import { availableParallelism } from 'node:os'
import { type Certificate, CertificateUnreadable } from '../certificate/read-certificate.ts'
import { type Job, openPool } from '../threads/pool.ts'
import { ThreadEnded } from '../threads/task-thread.ts'
import { takingTurns } from './fair-queue.ts'
import type { ReadTask, Reply } from './messages.ts'
import type { ReadFile } from './read-file.ts'
import { createSpending } from './spending.ts'

/** Reads files of strangers in separate threads: no file can keep the main thread from its work. */
export type FileReader = AsyncDisposable & {
  /** Rejects with CertificateUnreadable or ReadingRefused. */
  readonly read: (bytes: Uint8Array, client: string) => Promise<ReadFile>
  /** The same for a file of somebody who is known: it counts against no limit of a client. */
  readonly readKnown: (bytes: Uint8Array) => Promise<ReadFile>
  /** For a large certificate of somebody who is known. */
  readonly readCertificate: (bytes: Uint8Array) => Promise<Certificate>
  /** The JSON inside a PDF of somebody who is known; undefined if it has none. */
  readonly extract: (pdf: Uint8Array) => Promise<Uint8Array | undefined>
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

type ReadJob = Job<ReadTask, Reply> & { readonly client: string }

/** All who are known take turns together with each stranger. */
const known = 'known'

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
  const pool = openPool<ReadTask, Reply, ReadJob>(queue, {
    script: new URL('main.ts', import.meta.url),
    workers,
    processorMs,
    maxHeapMegabytes,
    checkEveryMs: 50,
    onReplaced: ({ failure, message }) =>
      log.warn({ failure, reason: message }, 'Replacing a thread that reads files'),
  })
  const readInThread = async (bytes: Uint8Array, job: { wants: ReadTask['wants']; client: string }) => {
    if (queue.size() >= maxWaiting) throw new ReadingRefused('busy', 5)
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    const { wants, client } = job
    pool.add({ task: { bytes: ownBytes(bytes), wants }, client, resolve, reject })
    try {
      return await promise
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error
      if (error.failure === 'busy') throw new ReadingRefused('busy', 5)
      throw new ReadingRefused('too_costly', 0)
    }
  }
  return {
    read: async (bytes, client) => {
      const blockedSeconds = spending.blockedSeconds(client)
      if (blockedSeconds > 0) throw new ReadingRefused('too_many', blockedSeconds)
      if (queue.sizeOf(client) >= maxWaitingPerClient) throw new ReadingRefused('too_many', 5)
      try {
        const reply = await readInThread(bytes, { wants: 'what it is', client })
        spending.add(client, reply.processorMs)
        return readOf(reply)
      } catch (error) {
        if (error instanceof ReadingRefused && error.reason === 'too_costly')
          spending.add(client, processorMs)
        throw error
      }
    },
    readKnown: async (bytes) => readOf(await readInThread(bytes, { wants: 'what it is', client: known })),
    ...forKnown((bytes, wants) => readInThread(bytes, { wants, client: known })),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

const forKnown = (read: (bytes: Uint8Array, wants: ReadTask['wants']) => Promise<Reply>) => ({
  readCertificate: async (bytes: Uint8Array): Promise<Certificate> => {
    const reply = await read(bytes, 'certificate')
    if ('certificate' in reply) return { ...reply.certificate, bytes }
    throw errorOf(reply)
  },
  extract: async (pdf: Uint8Array): Promise<Uint8Array | undefined> => {
    const reply = await read(pdf, 'what is inside')
    if ('inside' in reply) return reply.inside
    throw errorOf(reply)
  },
})

/** Sending a view copies all of the memory behind it. */
const ownBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)

const readOf = (reply: Reply): ReadFile => {
  if ('read' in reply) return reply.read
  throw errorOf(reply)
}

const errorOf = (reply: Reply): Error => {
  if (!('unreadable' in reply))
    return new Error(`A file could not be read: ${'failed' in reply ? reply.failed : 'another answer'}`)
  const { reason, pointer, tooLarge } = reply.unreadable
  return new CertificateUnreadable(reason, { pointer, tooLarge })
}
