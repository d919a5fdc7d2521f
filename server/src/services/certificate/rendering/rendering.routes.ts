import { type Mode, operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { applyLook, toDocument } from '@millseal/families'
import { type Binding, bindTo, type Call, type Content } from '../../../http/binding.ts'
import type { Principal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { checkCertificate, checkedBy, completeDraft } from '../checking/check-certificate.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { findLook } from '../looks/find-look.ts'
import { previewLook } from './preview-look.ts'
import { renderContent } from './render-content.ts'

export const renderingRoutes = (deps: CertificateDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.renderCertificate, renderCertificate),
    bind(operations.renderCertificateFile, renderCertificate),
    bind(operations.previewLook, previewLook),
  ]
}

const renderCertificate = async (
  deps: CertificateDependencies,
  call: Call<typeof operations.renderCertificate | typeof operations.renderCertificateFile>,
): Promise<Content> => {
  const { principal } = call
  const { draft: isDraft = false, type } = call.query
  if (isDraft && type !== 'html')
    throw new Problem('validation_failed', { reasons: [because('draft_is_html', { place: 'query/draft' })] })
  const check = isDraft ? completeDraft : checkCertificate
  const { certificate, schema } = await check(deps, call.body.bytes)
  call.header('checked-by', checkedBy(schema).schema)
  const document = toDocument(certificate, schema)
  // A person may belong to several companies, or none.
  const look =
    principal.kind === 'user' ? {} : await findLook(deps, { companyId: principal.companyId, certificate })
  return renderContent(deps, call, {
    certificate,
    document: applyLook(document, look),
    mode: modeOf(principal),
    isDraft,
  })
}

/** A person, who has no mode, sees the rendering of a live certificate. */
const modeOf = (principal: Principal): Mode => (principal.kind === 'user' ? 'live' : principal.mode)
