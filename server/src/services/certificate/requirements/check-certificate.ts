import type { CertificateCheck, operations } from '@millseal/contract'
import { because, inEnglish } from '@millseal/contract/reasons'
import {
  type Certificate,
  checkCertificate as check,
  type ResolvedRequirement,
  selfCheck,
  withoutUndefined,
} from '@millseal/families'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { findCertificateWithBodies } from '../certificates/certificates.store.ts'
import { requireReadable } from '../certificates/require-readable.ts'
import { readDocument } from '../checking/read-document.ts'
import { shownFinding } from '../checking/shown-finding.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { readSent, requireNamed, resolveIn } from './read-requirement.ts'

type CheckCall = Call<typeof operations.checkCertificate>

export const checkCertificate = async (
  deps: CertificateDependencies,
  call: CheckCall,
): Promise<CertificateCheck> => {
  const { companyId } = call
  const { query } = deps.database
  const requirement = await requirementOf(deps, call)
  const resolved = await resolveIn(query, { requirement, companyId, place: '/requirement' })
  const certificate = await readDocument(deps, await bytesOf(deps, call))
  const { verdict, lines } = checkAgainst(certificate, resolved)
  return {
    verdict,
    certificate: certificate.hash,
    requirement: { name: requirement.name, hash: resolved.hash },
    lines,
    findings: selfCheck(certificate).map(shownFinding),
  }
}

/** As the API shows it. */
export const checkAgainst = (certificate: Certificate, resolved: ResolvedRequirement) => {
  const { verdict, lines } = check(certificate, resolved)
  return {
    verdict,
    lines: lines.map(({ reason, ...line }) =>
      withoutUndefined({
        ...line,
        reason: reason && inEnglish(reason),
        because: reason && { ...reason },
      }),
    ),
  }
}

const requirementOf = async ({ database }: CertificateDependencies, { body, companyId }: CheckCall) => {
  const { requirement, against } = body
  if (requirement !== undefined && against === undefined) return readSent(requirement, '/requirement')
  if (against !== undefined && requirement === undefined)
    return requireNamed(database.query, { companyId, nameOrHash: against })
  throw new Problem('validation_failed', { reasons: [because('check_needs_requirement')] })
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
