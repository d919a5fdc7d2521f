import { type CheckedBy, limits, type Mode, type Notarization, type operations } from '@millseal/contract'
import { summarize } from '@millseal/families'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import type { InTurn } from '../../../lib/in-turn.ts'
import { Problem } from '../../../lib/problem.ts'
import { certificateSpan } from '../../../ports/tracer/known-spans.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import { checkCertificate, checkedBy } from '../checking/check-certificate.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { sha256Hex } from '../hashing/hash.ts'
import { assertSellerAllowed } from '../sellers/other-seller.ts'
import { wordsOf } from '../lists/search-words.ts'
import type { Admission } from './admission.ts'
import { assertDailyLimit } from './assert-daily-limit.ts'
import { findNotarization, insertCertificate, type StoredCertificate } from './certificates.store.ts'

const dayMs = 86_400_000

/** A crowd waits after every outage. The longest wait ends before a proxy gives up. */
export const acceptingTurns = { atOnce: 8, longestWaitMs: 10_000 }

type NotarizeCall = Call<typeof operations.notarizeCertificate | typeof operations.notarizeCertificateFile>
type NotarizeDependencies = CertificateDependencies & {
  readonly admission: Admission
  readonly inTurn: InTurn
}

/** Checks the certificate and its identity, then leaves rendering and recording to a job. */
export const notarize = (deps: NotarizeDependencies, call: NotarizeCall): Promise<Notarization> =>
  deps.inTurn({ key: call.companyId, signal: call.signal() }, () => accept(deps, call))

const accept = async (deps: NotarizeDependencies, call: NotarizeCall): Promise<Notarization> => {
  const { companyId, mode } = call
  const startedAt = deps.tracer.now()
  await deps.admission.assertRoom(companyId, mode)
  const identityId = call.query.identity
  const { certificate, schema } = await checkCertificate(deps, call.body.bytes)
  const by = checkedBy(schema)
  const { hash } = certificate
  await deps.keys.findSigningIdentity({ identityId, companyId, mode })
  await assertSellerAllowed(deps, { certificate, companyId, mode })
  const record = await deps.keys.findRecord({ mode, hash, file: 'json' })
  if (record !== undefined) {
    return notarized({ hash, transactionId: record.transactionId, recordedAt: record.timestamp }, by)
  }
  const accepted: { id?: string } = {}
  const answer = await call.commit(async (tx) => {
    const now = new Date(deps.clock.now())
    const row = {
      id: uuidv7(now.getTime()),
      companyId,
      identityId,
      mode,
      state: 'accepted',
      refSchemaUrl: certificate.refSchemaUrl,
      family: schema.family,
      hash,
      summary: JSON.stringify(summarize(certificate)),
      body: certificate.bytes,
      retainedUntil: new Date(now.getTime() + limits.certificateRetentionDays * dayMs),
      nextAttemptAt: now,
      acceptedBy: principalName(call.principal),
      createdAt: now,
      updatedAt: now,
    } as const
    const inserted = await insertCertificate(tx, row, wordsOf(certificate))
    if (inserted === undefined) return existing(await findNotarization(tx, { mode, hash }), by)
    await deps.audit.write(tx, {
      actor: principalName(call.principal),
      action: 'certificates.notarize',
      subject: inserted.id,
      companyId,
      ipAddress: call.client.ip,
      details: { mode, hash, identity: identityId },
    })
    await assertDailyLimit(deps, tx, { companyId, now })
    accepted.id = inserted.id
    return pending(inserted, by)
  })
  if (accepted.id !== undefined) traceAcceptance(deps, { id: accepted.id, companyId, mode, startedAt })
  return answer
}

type Accepted = {
  readonly id: string
  readonly companyId: string
  readonly mode: Mode
  readonly startedAt: number
}

const traceAcceptance = (
  { tracer }: CertificateDependencies,
  { id, companyId, mode, startedAt }: Accepted,
): void =>
  tracer.add({
    name: 'accept',
    kind: 'producer',
    known: certificateSpan(id, 'accept'),
    startedAt,
    attributes: { 'millseal.certificate.id': id, 'millseal.company.id': companyId, 'millseal.mode': mode },
  })

/** The notarization of this certificate that exists already, whichever company started it. */
const existing = (first: StoredCertificate | undefined, by: CheckedBy): Notarization => {
  // It failed between the two statements: the next request can start another one.
  if (first === undefined) throw new Problem('unavailable', { retryAfterSeconds: 1 })
  const { hash, transactionId, recordedAt } = first
  return transactionId === null || recordedAt === null
    ? pending(first, by)
    : notarized({ hash, transactionId, recordedAt }, by)
}

const pending = ({ id, hash, createdAt }: StoredCertificate, by: CheckedBy): Notarization => ({
  isNewInstance: true,
  timestamp: createdAt.toISOString(),
  hash: sha256Hex(hash),
  checkedBy: by,
  jobId: id,
})

type Recorded = { readonly hash: string; readonly transactionId: string; readonly recordedAt: Date }

const notarized = ({ hash, transactionId, recordedAt }: Recorded, by: CheckedBy): Notarization => ({
  isNewInstance: false,
  timestamp: recordedAt.toISOString(),
  hash: sha256Hex(hash),
  checkedBy: by,
  transactionId,
})
