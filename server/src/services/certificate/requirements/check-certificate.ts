import type { CertificateCheck, operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import {
  type Certificate,
  checkCertificate as check,
  type ResolvedRequirement,
  selfCheck,
  withoutUndefined,
  worstOf,
} from '@millseal/families'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { findCertificateWithBodies } from '../certificates/certificates.store.ts'
import { requireReadable } from '../certificates/require-readable.ts'
import { readDocument } from '../checking/read-document.ts'
import { shownFinding } from '../checking/shown-finding.ts'
import { shownLine } from '../checking/shown-line.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { compareOrder } from '../orders/compare-order.ts'
import { chooseRequirement } from './choose-requirement.ts'
import { readSent, resolveIn } from './read-requirement.ts'

type CheckCall = Call<typeof operations.checkCertificate>

export const checkCertificate = async (
  deps: CertificateDependencies,
  call: CheckCall,
): Promise<CertificateCheck> => {
  const { body } = call
  if (body.requirement !== undefined && body.against !== undefined)
    throw new Problem('validation_failed', { reasons: [because('check_needs_requirement')] })
  if (body.order === undefined && body.item !== undefined)
    throw new Problem('validation_failed', {
      reasons: [because('order_item_needs_order', { place: '/item' })],
    })
  const sent = body.requirement === undefined ? undefined : readSent(body.requirement, '/requirement')
  const certificate = await readDocument(deps, await bytesOf(deps, call))
  const compared = await orderOf(deps, call, certificate)
  const required = await requiredOf(deps, call, { sent, named: compared?.requirement, certificate })
  const lines = [...(required.checked?.lines ?? []), ...(compared?.lines ?? [])]
  const isKnown = required.requirement !== undefined
  return withoutUndefined({
    verdict: worstOf([...lines, ...(isKnown ? [] : [{ result: 'unknown' as const }])]),
    certificate: certificate.hash,
    requirement: required.requirement,
    unchecked: required.unchecked,
    order: compared?.order,
    lines,
    findings: selfCheck(certificate).map(shownFinding),
  })
}

/** Accepted certificates of the mode of the caller are added up: people look at live ones. */
const orderOf = async (deps: CertificateDependencies, call: CheckCall, certificate: Certificate) => {
  const { order, item } = call.body
  if (order === undefined) return undefined
  const { companyId, principal } = call
  const mode = principal.kind === 'user' ? 'live' : principal.mode
  const named = { order, item }
  return compareOrder(deps.database.query, { companyId, mode, named }, certificate)
}

const requiredOf = async (
  { database: { query } }: CertificateDependencies,
  { companyId, body: { against } }: CheckCall,
  {
    sent,
    named,
    certificate,
  }: {
    readonly sent: ReturnType<typeof readSent> | undefined
    readonly named: string | undefined
    readonly certificate: Certificate
  },
) => {
  const chosen =
    sent === undefined
      ? await chooseRequirement(query, { companyId, against, named, certificate })
      : { requirement: sent }
  if (chosen.requirement === undefined) return { unchecked: chosen.unchecked }
  const { requirement } = chosen
  const resolved = await resolveIn(query, { requirement, companyId, place: '/requirement' })
  return {
    checked: checkAgainst(certificate, resolved),
    requirement: { name: requirement.name, hash: resolved.hash },
  }
}

/** As the API shows it. */
export const checkAgainst = (certificate: Certificate, resolved: ResolvedRequirement) => {
  const { verdict, lines } = check(certificate, resolved)
  return { verdict, lines: lines.map(shownLine) }
}

const bytesOf = async (deps: CertificateDependencies, call: CheckCall): Promise<Uint8Array> => {
  const { certificate, id } = call.body
  if (certificate !== undefined && id === undefined) return Buffer.from(certificate)
  if (id === undefined || certificate !== undefined)
    throw new Problem('validation_failed', { reasons: [because('check_needs_certificate')] })
  const found = await findCertificateWithBodies(deps.database.query, id)
  const { body } = await requireReadable(deps, call, found)
  if (body === null) throw new Problem('certificate_erased')
  return body
}
