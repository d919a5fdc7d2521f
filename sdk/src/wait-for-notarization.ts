import type { Certificate } from '@millseal/contract'
import { pause } from './patience.ts'
import type { Client } from './types.ts'

export type AwaitedNotarization = {
  /** The `jobId` of the notarization, which is the id of the certificate. */
  readonly id: string
  readonly company?: string
  /** Default: two minutes. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** Called after every poll. */
  readonly onProgress?: (certificate: Certificate) => void
}

/** The job has ended, and the certificate is not on the ledger. */
export class NotarizationFailed extends Error {
  override readonly name = 'NotarizationFailed'
  readonly certificate: Certificate

  constructor(certificate: Certificate) {
    super(certificate.error ?? 'The notarization failed')
    this.certificate = certificate
  }
}

/** The job still runs: wait again with the same id. */
export class NotarizationPending extends Error {
  override readonly name = 'NotarizationPending'
}

const firstPauseMs = 500
const longestPauseMs = 10_000

/** Resolves when the certificate is on the ledger. Throws `NotarizationFailed`, or `NotarizationPending` after the timeout. */
export const waitForNotarization = async (
  client: { readonly readCertificate: Client['readCertificate'] },
  { id, company, timeoutMs = 120_000, signal, onProgress }: AwaitedNotarization,
): Promise<Certificate> => {
  const until = Date.now() + timeoutMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 1.6)) {
    const certificate = await client.readCertificate({ params: { id }, company, signal })
    onProgress?.(certificate)
    if (certificate.state === 'notarized') return certificate
    if (certificate.state === 'failed') throw new NotarizationFailed(certificate)
    if (Date.now() + pauseMs > until) {
      throw new NotarizationPending(`The notarization is still ${certificate.state} after ${timeoutMs} ms`)
    }
    await pause(pauseMs, signal)
  }
}
