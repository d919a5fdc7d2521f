import { type Mode, operations } from '@millseal/contract'
import { htmlPolicy, renderHtml, toDocument } from '@millseal/families'
import { type Binding, bindTo, type Call, type Content } from '../../../http/binding.ts'
import type { Principal } from '../../../http/principal.ts'
import { qrSvg } from '../../../lib/qr-svg.ts'
import { checkCertificate, checkedBy } from '../checking/check-certificate.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { renderPdf } from './render-pdf.ts'
import { verifyUrlOf } from './verify-url.ts'

export const renderingRoutes = (deps: CertificateDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.renderCertificate, renderCertificate),
    bind(operations.renderCertificateFile, renderCertificate),
  ]
}

const renderCertificate = async (
  deps: CertificateDependencies,
  call: Call<typeof operations.renderCertificate | typeof operations.renderCertificateFile>,
): Promise<Content> => {
  const { certificate, schema } = await checkCertificate(deps, call.body.bytes)
  call.header('checked-by', checkedBy(schema).schema)
  const document = toDocument(certificate, schema)
  const mode = modeOf(call.principal)
  if (document.warnings.length > 0) {
    call.header('render-warnings', document.warnings.map(({ pointer }) => encodeURI(pointer)).join(', '))
  }
  if (call.query.type === 'pdf') {
    const bytes = await renderPdf(deps, {
      certificate,
      document,
      mode,
      isDraft: true,
      signal: call.signal,
    })
    return { type: 'application/pdf', bytes }
  }
  call.header('content-security-policy', htmlPolicy(document))
  const { hash } = certificate
  const verifyUrl = verifyUrlOf(deps, { mode, hash })
  const page = renderHtml(document, { mode, hash, verifyUrl, qrSvg: qrSvg(verifyUrl) })
  return { type: 'text/html; charset=utf-8', bytes: page }
}

/** A person, who has no mode, sees the rendering of a live certificate. */
const modeOf = (principal: Principal): Mode => (principal.kind === 'user' ? 'live' : principal.mode)
