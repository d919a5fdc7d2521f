import type { Mode } from '@millseal/contract'
import type { Certificate, DocumentModel } from '@millseal/families'
import type { Hole } from '../../../ports/seals/seals.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { verifyUrlOf } from './verify-url.ts'

type Rendering = {
  readonly certificate: Certificate
  readonly document: DocumentModel
  readonly mode: Mode
  /** Whether it is only shown and not notarized. */
  readonly isDraft: boolean
  /** For a seal, if there is one. */
  readonly hole?: Hole | undefined
  readonly signal: AbortSignal
}

/** Returns a PDF/A-3a, which is a PDF/UA-1 too, with the received bytes embedded. */
export const renderPdf = async (
  deps: CertificateDependencies,
  { certificate, document, mode, isDraft, hole, signal }: Rendering,
): Promise<Uint8Array> => {
  const { bytes: certificateBytes, hash } = certificate
  const verifyUrl = verifyUrlOf(deps, { hash })
  const request = { document, mode, isDraft, certificateBytes, hash, verifyUrl, signature: hole }
  return deps.pdf.render(request, signal)
}
