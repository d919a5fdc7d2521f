import { parentPort } from 'node:worker_threads'
import { CertificateUnreadable } from '../certificate/read-certificate.ts'
import type { Reply } from './messages.ts'
import { readFile } from './read-file.ts'

/** Reads one file after the other. */
type Outcome = Reply extends infer R ? (R extends Reply ? Omit<R, 'processorMs'> : never) : never

const read = async (bytes: Uint8Array): Promise<Outcome> => {
  try {
    return { read: await readFile(bytes) }
  } catch (error) {
    if (!(error instanceof CertificateUnreadable))
      return { failed: error instanceof Error ? error.message : String(error) }
    const { reason, pointer, tooLarge } = error
    return { unreadable: { reason, pointer, tooLarge } }
  }
}

parentPort?.on('message', (bytes: Uint8Array) => {
  const before = process.threadCpuUsage()
  void read(bytes).then((outcome) => {
    const { user, system } = process.threadCpuUsage(before)
    parentPort?.postMessage({ ...outcome, processorMs: (user + system) / 1_000 })
  })
})
