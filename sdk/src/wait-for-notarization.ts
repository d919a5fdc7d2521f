import type { Certificate } from '@millseal/contract'
import { pause } from './patience.ts'
import type { Client } from './types.ts'

export type AwaitedNotarization = {
  /** The `jobId` of a notarization, which is the id of the certificate. */
  readonly id: string
  readonly company?: string
  /** Default two minutes. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** Told at every look. */
  readonly onProgress?: (certificate: Certificate) => void
}

/** The job ended, and there is nothing on the ledger. */
export class NotarizationFailed extends Error {
  override readonly name = 'NotarizationFailed'
  readonly certificate: Certificate

  constructor(certificate: Certificate) {
    super(certificate.error ?? 'The notarization failed')
    this.certificate = certificate
  }
}

/** It may still end later: look again with the same id. */
export class NotarizationPending extends Error {
  override readonly name = 'NotarizationPending'
}

const firstPauseMs = 500
const longestPauseMs = 10_000

/** Resolves when it is on the ledger; throws `NotarizationFailed`, or `NotarizationPending` when the time is up. */
export const waitForNotarization = async (
  client: Pick<Client, 'readCertificate'>,
  { id, company, timeoutMs = 120_000, signal, onProgress }: AwaitedNotarization,
): Promise<Certificate> => {
  const until = Date.now() + timeoutMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 1.6)) {
    const certificate = await client.readCertificate({
      params: { id },
      ...(company === undefined ? {} : { company }),
      ...(signal === undefined ? {} : { signal }),
    })
    onProgress?.(certificate)
    if (certificate.state === 'notarized') return certificate
    if (certificate.state === 'failed') throw new NotarizationFailed(certificate)
    if (Date.now() + pauseMs > until) {
      throw new NotarizationPending(`The notarization is still ${certificate.state} after ${timeoutMs} ms`)
    }
    await pause(pauseMs, signal)
  }
}
