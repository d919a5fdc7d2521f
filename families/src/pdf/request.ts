import { inEnglish, type Reason } from '@millseal/contract/reasons'
import type { DocumentModel } from '../model/document.ts'

/** Everything that a PDF is made from; nothing else affects its bytes. */
export type PdfRequest = {
  readonly document: DocumentModel
  readonly mode: 'test' | 'live'
  /** Whether the certificate is not notarized with this PDF; each page says so. */
  readonly isDraft: boolean
  /** As received; embedded unchanged as `certificate.json`. */
  readonly certificateBytes: Uint8Array
  /** The hash of the certificate in hexadecimal. */
  readonly hash: string
  /** The address in the QR code. */
  readonly verifyUrl: string
  /** Leaves room for a signature of the whole file, of at most this many bytes. */
  readonly signature?: { readonly signer: string; readonly at: string; readonly bytes: number } | undefined
}

export type PdfFailure =
  /** Too many documents are waiting; the rendering did not start. */
  | 'busy'
  /** The rendering took too much processor time and was stopped. */
  | 'timed_out'
  /** The thread ended or needed too much memory; other renderings are not affected. */
  | 'crashed'
  /** The document is too long for paper, or has a damaged picture. */
  | 'refused'

export class PdfError extends Error {
  readonly failure: PdfFailure
  readonly reason: Reason

  constructor(failure: PdfFailure, reason: Reason) {
    super(inEnglish(reason))
    this.reason = reason
    this.name = 'PdfError'
    this.failure = failure
  }
}
