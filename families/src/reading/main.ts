import { parentPort } from 'node:worker_threads'
import { extractEmbeddedCertificate } from '@millseal/proof'
import { CertificateUnreadable, readCertificate } from '../certificate/read-certificate.ts'
import type { ReadTask, Reply } from './messages.ts'
import { readFile } from './read-file.ts'

/** Reads one file after the other. */
type Outcome = Reply extends infer R ? (R extends Reply ? Omit<R, 'processorMs'> : never) : never

const read = async ({ bytes, wants }: ReadTask): Promise<Outcome> => {
  try {
    if (wants === 'what it is') return { read: await readFile(bytes) }
    if (wants === 'what is inside') return { inside: await extractEmbeddedCertificate(bytes) }
    const { bytes: _received, ...certificate } = readCertificate(bytes)
    return { certificate }
  } catch (error) {
    if (!(error instanceof CertificateUnreadable))
      return { failed: error instanceof Error ? error.message : String(error) }
    const { reason, pointer, tooLarge } = error
    return { unreadable: { reason, pointer, tooLarge } }
  }
}

parentPort?.on('message', (task: ReadTask) => {
  const before = process.threadCpuUsage()
  void read(task).then((outcome) => {
    const { user, system } = process.threadCpuUsage(before)
    parentPort?.postMessage({ ...outcome, processorMs: (user + system) / 1_000 })
  })
})
