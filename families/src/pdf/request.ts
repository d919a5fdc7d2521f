import type { DocumentModel, Picture } from '../model/document.ts'

/** Everything a PDF is made from; nothing else goes into its bytes. */
export type PdfRequest = {
  readonly document: DocumentModel
  readonly mode: 'test' | 'live'
  /** As received; embedded byte by byte as `certificate.json`. */
  readonly certificateBytes: Uint8Array
  /** Of the certificate, in hexadecimal. */
  readonly hash: string
  /** Where the QR code leads. */
  readonly verifyUrl: string
  /** A company's own, in place of the one for the family of the document. */
  readonly layout?: CompanyLayout
}

export type CompanyLayout = {
  /** Typst, with `#let layout(data) = …`; docs/layouts.md. */
  readonly source: string
  /** Shown where the certificate brings none of its own. */
  readonly logo?: Picture
}

export type PdfFailure =
  /** More are waiting than may wait; nothing was begun. */
  | 'busy'
  /** Took longer than allowed; its process was ended. */
  | 'timed_out'
  /** The process ended or grew too large; only this rendering is lost. */
  | 'crashed'
  /** The company's layout does not compile, or leaves out what every page must have. */
  | 'layout'
  /** The engine cannot make a PDF/A of this document with our own layout. */
  | 'refused'

export class PdfError extends Error {
  readonly failure: PdfFailure

  constructor(failure: PdfFailure, message: string) {
    super(message)
    this.name = 'PdfError'
    this.failure = failure
  }
}
