import type { DocumentModel, Picture } from '../model/document.ts'

/** Everything that a PDF is made from; nothing else affects its bytes. */
export type PdfRequest = {
  readonly document: DocumentModel
  readonly mode: 'test' | 'live'
  /** As received; embedded unchanged as `certificate.json`. */
  readonly certificateBytes: Uint8Array
  /** The hash of the certificate in hexadecimal. */
  readonly hash: string
  /** The address in the QR code. */
  readonly verifyUrl: string
  /** Replaces the layout of the family. */
  readonly layout?: CompanyLayout
}

export type CompanyLayout = {
  /** Typst with `#let layout(data) = …`; see docs/layouts.md. */
  readonly source: string
  /** Used if the certificate has no logo. */
  readonly logo?: Picture
}

export type PdfFailure =
  /** Too many documents are waiting; the rendering did not start. */
  | 'busy'
  /** The rendering took too long; its process was killed. */
  | 'timed_out'
  /** The process ended or grew too large; other renderings are not affected. */
  | 'crashed'
  /** The layout of the company does not compile, or omits what every page must have. */
  | 'layout'
  /** The engine cannot render this document with the built-in layout. */
  | 'refused'

export class PdfError extends Error {
  readonly failure: PdfFailure

  constructor(failure: PdfFailure, message: string) {
    super(message)
    this.name = 'PdfError'
    this.failure = failure
  }
}
