import { type Certificate, limits, type operations } from '@millseal/contract'
import { because, type Reason } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { principalName, userIdIn } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { storedReasons } from '../../../lib/stored-reasons.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { toCertificateResponse } from '../certificates/certificate-response.ts'
import { findCertificate, type StoredCertificate } from '../certificates/certificates.store.ts'
import { requireOwn } from '../certificates/require-readable.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { enqueueFailureMails } from '../mails/failure-mail.ts'
import { findOverdueReleases, refuseRelease, release } from './releases.store.ts'

const dayMs = 86_400_000
const maxErrorLength = 500

type ReleaseCall = Call<typeof operations.releaseCertificate>
type RefuseCall = Call<typeof operations.refuseCertificate>
type DecideCall = ReleaseCall | RefuseCall

/** Starts the notarization of what somebody else submitted. */
export const releaseCertificate = async (
  deps: CertificateDependencies,
  call: ReleaseCall,
): Promise<Certificate> => {
  const certificate = requireOwn(call, await findCertificate(deps.database.query, call.params.id))
  await assertMayRelease(deps, call, certificate)
  return call.commit(async (tx) => {
    const now = new Date(deps.clock.now())
    const retainedUntil = new Date(now.getTime() + limits.certificateRetentionDays * dayMs)
    const by = principalName(call.principal)
    const isFirst = await release(tx, { id: certificate.id, by, now, retainedUntil })
    return decided(deps, tx, { call, certificate, decision: 'released', isFirst })
  })
}

/** Ends what somebody else submitted, or takes back what the caller did. */
export const refuseCertificate = async (
  deps: CertificateDependencies,
  call: RefuseCall,
): Promise<Certificate> => {
  const certificate = requireOwn(call, await findCertificate(deps.database.query, call.params.id))
  const isMine = isSubmitter(call, certificate)
  if (!isMine) await assertApprover(deps, call)
  const { reason } = call.body
  const { username: name } = call.principal
  const refusal = because(isMine ? 'taken_back' : 'release_refused', { name, reason })
  return call.commit(async (tx) => {
    const by = principalName(call.principal)
    const isFirst = await refuse(deps, tx, { certificate, by, refusal, isMine })
    return decided(deps, tx, { call, certificate, decision: 'refused', isFirst, reason })
  })
}

/** Ends those that nobody released while they were retained. */
export const refuseOverdueReleases = async (deps: CertificateDependencies, now: Date): Promise<number> => {
  const overdue = await findOverdueReleases(deps.database.query, now)
  const refusal = because('release_too_late', { days: limits.certificateRetentionDays })
  for (const { id } of overdue)
    await deps.database.transaction(async (tx) => {
      const certificate = await findCertificate(tx, id)
      if (certificate !== undefined) await refuse(deps, tx, { certificate, by: 'service', refusal })
    })
  return overdue.length
}

const isSubmitter = ({ principal }: DecideCall, { acceptedBy }: StoredCertificate): boolean =>
  acceptedBy === principalName(principal)

/** An admin may know the secret of an application, and would release what is their own. */
const assertMayRelease = async (
  { users }: CertificateDependencies,
  call: ReleaseCall,
  certificate: StoredCertificate,
): Promise<void> => {
  if (isSubmitter(call, certificate)) throw new Problem('release_own')
  if (userIdIn(certificate.acceptedBy) !== undefined) return
  const standing = await users.findStanding(call.companyId, call.principal)
  if (standing?.role !== 'approver')
    throw new Problem('release_own', { reasons: [because('needs_approver')] })
}

const assertApprover = async ({ users }: CertificateDependencies, call: RefuseCall): Promise<void> => {
  const role = (await users.findStanding(call.companyId, call.principal))?.role
  if (role === 'approver' || role === 'admin') return
  throw new Problem('member_role_missing', {
    reasons: role === undefined ? [] : [because('needs_role', { needed: 'approver', role })],
  })
}

/** False if it does not wait any more. Those who take back their own need no mail. */
const refuse = async (
  deps: CertificateDependencies,
  tx: Transaction,
  {
    certificate: { id, companyId, mode, acceptedBy },
    by,
    refusal,
    isMine = false,
  }: {
    readonly certificate: StoredCertificate
    readonly by: string
    readonly refusal: Reason
    readonly isMine?: boolean
  },
): Promise<boolean> => {
  const failure = storedReasons([refusal], maxErrorLength)
  if (!(await refuseRelease(tx, { id, by, now: new Date(deps.clock.now()), ...failure }))) return false
  if (!isMine) {
    const submitter = userIdIn(acceptedBy)
    await enqueueFailureMails(deps, tx, { certificateId: id, companyId, mode, submitter })
  }
  return true
}

/** Repeating a decision changes nothing; the other one is refused. */
const decided = async (
  { audit }: CertificateDependencies,
  tx: Transaction,
  {
    call,
    certificate: { id, companyId, mode, hash, acceptedBy },
    decision,
    isFirst,
    reason,
  }: {
    readonly call: DecideCall
    readonly certificate: StoredCertificate
    readonly decision: 'released' | 'refused'
    readonly isFirst: boolean
    readonly reason?: string
  },
): Promise<Certificate> => {
  const after = await findCertificate(tx, id)
  if (after?.release !== decision) throw new Problem('release_decided')
  if (isFirst)
    await audit.write(tx, {
      actor: principalName(call.principal),
      action: decision === 'released' ? 'certificates.release' : 'certificates.refuse',
      subject: id,
      companyId,
      ipAddress: call.client.ip,
      details: { mode, hash, submittedBy: acceptedBy, reason },
    })
  return toCertificateResponse(after)
}
