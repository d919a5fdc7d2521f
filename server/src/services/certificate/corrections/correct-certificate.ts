import type { Certificate, operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { assertTwoFactors } from '../../../http/authorize.ts'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { toCertificateResponse } from '../certificates/certificate-response.ts'
import { findCertificate } from '../certificates/certificates.store.ts'
import {
  findRecordedCorrections,
  leadsTo,
  lockReplacements,
  startCorrection,
} from '../certificates/corrections.store.ts'
import {
  finishLater,
  finishStarted,
  isNotarized,
  type Notarized,
  recordStarted,
} from './started-correction.ts'

type WithdrawCall = Call<typeof operations.withdrawCertificate>
type ReplaceCall = Call<typeof operations.replaceCertificate>
type CorrectCall = WithdrawCall | ReplaceCall

export const withdrawCertificate = (
  deps: CertificateDependencies,
  call: WithdrawCall,
): Promise<Certificate> => correct(deps, call, undefined)

export const replaceCertificate = (deps: CertificateDependencies, call: ReplaceCall): Promise<Certificate> =>
  correct(deps, call, call.body.replacedBy)

/**
 * Stores what is wanted, records it on the ledger, then stores that it is recorded, with events and mails. If the process
 * ends in between, a job continues after the last step that succeeded, or a repeated call does: always with the same
 * transaction.
 */
const correct = async (
  deps: CertificateDependencies,
  call: CorrectCall,
  replacedBy: string | undefined,
): Promise<Certificate> => {
  const certificate = await requireCorrectable(deps, call)
  const replacement =
    replacedBy === undefined ? undefined : await requireReplacement(deps, { certificate, replacedBy })
  const now = deps.clock.now()
  const started = await deps.database.transaction(async (tx) => {
    if (replacement !== undefined) await assertNoCircle(tx, { certificate, replacement })
    const wanted = await startCorrection(tx, {
      id: uuidv7(now),
      certificateId: certificate.id,
      action: replacement === undefined ? 'withdraw' : 'replace',
      replacedBy: replacement?.id ?? null,
      reason: call.body.reason,
      madeBy: call.companyId === undefined ? 'operator' : 'issuer',
      wantedBy: principalName(call.principal),
      ipAddress: call.client.ip,
      createdAt: new Date(now),
    })
    if (wanted.transactionId === null) await finishLater(deps, tx, wanted)
    return wanted
  })
  const next = replacement?.transactionId
  const recorded =
    started.transactionId === null
      ? await recordStarted(deps, { certificate, started, replacedBy: next, signal: call.signal() })
      : undefined
  const { mode, transactionId } = certificate
  const confirmed = (await deps.keys.confirmed.find({ mode, transactionIds: [transactionId] })).get(
    transactionId,
  )
  return call.commit(async (tx) => {
    if (recorded !== undefined) await finishStarted(deps, tx, { certificate, replacement, started, recorded })
    return toCertificateResponse(certificate, await findRecordedCorrections(tx, [certificate.id]), confirmed)
  })
}

const requireCorrectable = async (
  { database, users }: CertificateDependencies,
  { params, companyId, principal, assertRecordMode }: CorrectCall,
): Promise<Notarized> => {
  const certificate = await findCertificate(database.query, params.id)
  const isReachable = companyId === undefined || certificate?.companyId === companyId
  if (certificate === undefined || !isReachable) throw new Problem('not_found')
  const { mode, state } = certificate
  assertRecordMode(mode)
  // A company that is not verified any more can still withdraw its certificates.
  if (mode === 'live') assertTwoFactors(principal)
  const isOperator = companyId === undefined
  if (
    isOperator &&
    (await users.isActiveMember({ companyId: certificate.companyId, userId: principal.id }))
  ) {
    throw new Problem('role_missing', {
      reasons: [because('needs_company_header')],
    })
  }
  if (state === 'failed') throw new Problem('certificate_failed')
  if (!isNotarized(certificate)) throw new Problem('certificate_pending')
  return certificate
}

const requireReplacement = async (
  { database }: CertificateDependencies,
  { certificate, replacedBy }: { readonly certificate: Notarized; readonly replacedBy: string },
): Promise<Notarized> => {
  const found = await findCertificate(database.query, replacedBy)
  const isUsable =
    isNotarized(found) &&
    found.id !== certificate.id &&
    found.companyId === certificate.companyId &&
    found.mode === certificate.mode
  if (!isUsable)
    throw new Problem('validation_failed', {
      reasons: [because('must_be_other_certificate', { place: '/replacedBy' })],
    })
  if ((await findRecordedCorrections(database.query, [found.id])).length > 0)
    throw new Problem('validation_failed', {
      reasons: [because('must_not_be_corrected', { place: '/replacedBy' })],
    })
  return found
}

/** Calls at the same time could replace certificates by each other, and none of them would be valid. */
const assertNoCircle = async (
  tx: Transaction,
  { certificate, replacement }: Readonly<Record<'certificate' | 'replacement', Notarized>>,
): Promise<void> => {
  await lockReplacements(tx, certificate.companyId)
  if (await leadsTo(tx, { from: replacement.id, to: certificate.id }))
    throw new Problem('validation_failed', {
      reasons: [because('must_not_be_replaced_by_this', { place: '/replacedBy' })],
    })
}
