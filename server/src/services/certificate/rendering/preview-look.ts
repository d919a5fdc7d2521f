import type { operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { applyLook, families, toDocument } from '@millseal/families'
import type { Call, Content } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { checkCertificate } from '../checking/check-certificate.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { renderContent } from './render-content.ts'
import { findLook } from '../looks/find-look.ts'
import { assertUsable } from '../looks/look-settings.ts'
import { receiverKey } from '../looks/receiver-key.ts'

/** Always in the form of test mode, so that nobody takes a preview for a certificate. */
export const previewLook = async (
  deps: CertificateDependencies,
  call: Call<typeof operations.previewLook>,
): Promise<Content> => {
  const { look: settings, certificate: given, family } = call.body
  if (settings !== undefined) assertUsable(settings, '/look')
  const { receiver } = call.query
  const { certificate, schema } = await checkCertificate(deps, Buffer.from(given ?? sampleOf(family)))
  const look = await findLook(deps, {
    companyId: call.companyId,
    certificate,
    receiver: receiver === undefined ? undefined : receiverKey(receiver),
    settings,
  })
  const document = applyLook(toDocument(certificate, schema), look)
  return renderContent(deps, call, { certificate, document, mode: 'test' })
}

const sampleOf = (name: string | undefined): string => {
  const family = name === undefined ? families[0] : families.find((one) => one.name === name)
  if (family !== undefined) return JSON.stringify(family.samples[0])
  const known = families.map((one) => one.name).join(', ')
  throw new Problem('validation_failed', {
    reasons: [because('must_be_one_of_these', { allowed: known, place: '/family' })],
  })
}
