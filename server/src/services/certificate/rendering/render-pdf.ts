import type { Mode } from '@millseal/contract'
import type { Certificate, DocumentModel } from '@millseal/families'
import type { CertificateDependencies } from '../dependencies.ts'
import { verifyUrlOf } from './verify-url.ts'

type Wanted = {
  readonly certificate: Certificate
  readonly document: DocumentModel
  readonly mode: Mode
  /** Whose layout it is drawn in, where one was imported. */
  readonly companyId: string | undefined
  readonly signal: AbortSignal
}

/** PDF/A-3a with the received bytes inside. */
export const renderPdf = async (
  deps: Pick<CertificateDependencies, 'pdf' | 'schemas' | 'publicUrl'>,
  { certificate, document, mode, companyId, signal }: Wanted,
): Promise<Uint8Array> => {
  const { bytes: certificateBytes, hash } = certificate
  const company = companyId === undefined ? {} : { company: companyId }
  const layout = await deps.schemas.findLayout({ family: document.family, ...company })
  const verifyUrl = verifyUrlOf(deps, { mode, hash })
  const request = { document, mode, certificateBytes, hash, verifyUrl }
  return deps.pdf.render(layout === undefined ? request : { ...request, layout }, signal)
}
