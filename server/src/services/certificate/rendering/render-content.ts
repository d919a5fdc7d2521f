import type { Mode } from '@millseal/contract'
import { type Certificate, type DocumentModel, htmlPolicy, renderHtml } from '@millseal/families'
import type { Content } from '../../../http/binding.ts'
import { qrSvg } from '../../../lib/qr-svg.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { renderPdf } from './render-pdf.ts'
import { verifyUrlOf } from './verify-url.ts'

type Rendered = {
  readonly certificate: Certificate
  readonly document: DocumentModel
  readonly mode: Mode
  /** Whether it may be incomplete; a page of it has nothing to verify it by. */
  readonly isDraft?: boolean
}

/** The document, not notarized, in the form that the call asks for; a header names what could not be shown. */
export const renderContent = async (
  deps: CertificateDependencies,
  call: {
    readonly query: { readonly type: 'html' | 'pdf' }
    readonly signal: () => AbortSignal
    readonly header: (name: string, value: string) => void
  },
  { certificate, document, mode, isDraft = false }: Rendered,
): Promise<Content> => {
  if (document.warnings.length > 0) {
    call.header('render-warnings', document.warnings.map(({ pointer }) => encodeURI(pointer)).join(', '))
  }
  if (call.query.type === 'pdf') {
    const bytes = await renderPdf(deps, {
      certificate,
      document,
      mode,
      isDraft: true,
      signal: call.signal(),
    })
    return { type: 'application/pdf', bytes }
  }
  call.header('content-security-policy', htmlPolicy(document))
  const { hash } = certificate
  const verifyUrl = verifyUrlOf(deps, { hash })
  const options = isDraft ? { isDraft } : { hash, verifyUrl, qrSvg: qrSvg(verifyUrl) }
  return { type: 'text/html; charset=utf-8', bytes: renderHtml(document, { mode, ...options }) }
}
