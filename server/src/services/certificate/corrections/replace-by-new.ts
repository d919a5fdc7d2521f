import type { operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { assertScopes } from '../../../http/authorize.ts'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Query, Transaction } from '../../../ports/database/database.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { findCertificate } from '../certificates/certificates.store.ts'
import { findReplacing, startCorrection } from '../certificates/corrections.store.ts'
import { isNotarized, type Notarized } from './started-correction.ts'

type NotarizeCall = Call<typeof operations.notarizeCertificate | typeof operations.notarizeCertificateFile>

/** What a new certificate is to replace, once it is notarized. */
export type Replacing = {
  readonly certificate: Notarized
  readonly reason: string
}

/** Undefined if the call replaces nothing. Throws if the ledger would refuse it later. */
export const requireReplaced = async (
  { database, keys }: CertificateDependencies,
  { query: { replaces, reason, own }, companyId, mode, principal }: NotarizeCall,
): Promise<Replacing | undefined> => {
  if (replaces === undefined && reason === undefined) return undefined
  if (replaces === undefined || reason === undefined)
    throw new Problem('validation_failed', {
      reasons: [
        replaces === undefined
          ? because('goes_only_with', { place: 'query/reason', other: 'replaces' })
          : because('goes_only_with', { place: 'query/replaces', other: 'reason' }),
      ],
    })
  if (own === true) throw wrong('own', 'replaces_without_own')
  assertScopes(principal, [{ resource: 'certificates', action: 'replace_one' }])
  const certificate = await findCertificate(database.query, replaces)
  if (!isNotarized(certificate) || certificate.companyId !== companyId || certificate.mode !== mode)
    throw wrong('replaces', 'must_be_other_certificate')
  await keys.findSigningIdentity({ identityId: certificate.identityId, companyId, mode })
  return { certificate, reason }
}

const wrong = (
  parameter: 'replaces' | 'own',
  code: 'must_be_other_certificate' | 'replaces_without_own',
): Problem => new Problem('validation_failed', { reasons: [because(code, { place: `query/${parameter}` })] })

/** The certificate was submitted before: nothing to do if it was to replace the same one, else a refusal. */
export const assertReplacesAlready = async (
  query: Query,
  { certificate }: Replacing,
  hash: string,
): Promise<void> => {
  const replacing = await findReplacing(query, certificate.id)
  if (replacing?.hash === hash) return
  throw new Problem('validation_failed', {
    reasons: [because('replaces_with_new', { certificate: certificate.id, place: 'query/replaces' })],
  })
}

/** Keeps what is wanted with the new certificate. The caller holds `lockReplacements`. */
export const startReplacement = async (
  { clock }: CertificateDependencies,
  tx: Transaction,
  {
    replacing,
    newId,
    call,
  }: { readonly replacing: Replacing; readonly newId: string; readonly call: NotarizeCall },
): Promise<void> => {
  const { certificate, reason } = replacing
  const now = clock.now()
  const other = await findReplacing(tx, certificate.id)
  if (other !== undefined)
    throw new Problem('certificate_corrected', {
      reasons: [
        because(other.transactionId === null ? 'being_replaced' : 'already_replaced', { id: other.id }),
      ],
    })
  await startCorrection(tx, {
    id: uuidv7(now),
    certificateId: certificate.id,
    action: 'replace',
    replacedBy: newId,
    reason,
    madeBy: 'issuer',
    wantedBy: principalName(call.principal),
    ipAddress: call.client.ip,
    createdAt: new Date(now),
  })
}
