import { limits, type Mode, type Notarization, type operations } from '@millseal/contract'
import { atPlace } from '@millseal/contract/reasons'
import { type Certificate, selfCheck, summarize } from '@millseal/families'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { createTurns } from '../../../lib/in-turn.ts'
import { certificateSpan } from '../../../ports/tracer/known-spans.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import { checkCertificate, checkedBy } from '../checking/check-certificate.ts'
import { shownFinding } from '../checking/shown-finding.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { assertSellerAllowed } from '../sellers/other-seller.ts'
import { wordsOf } from '../certificates/search-words.ts'
import { acceptCertificate, acceptTogether, notarized } from './accept-certificates.ts'
import { createAdmission } from './admission.ts'

const dayMs = 86_400_000

/** A crowd waits after every outage. The longest wait ends before a proxy gives up. */
export const acceptingTurns = { atOnce: 8, longestWaitMs: 10_000 }

type NotarizeCall = Call<typeof operations.notarizeCertificate | typeof operations.notarizeCertificateFile>
type NotarizeDependencies = ReturnType<typeof withTurns>

/** What all notarizing requests of a process share. */
export const withTurns = (deps: CertificateDependencies) => ({
  ...deps,
  admission: createAdmission(deps),
  inTurn: createTurns(acceptingTurns),
  acceptTogether: acceptTogether(deps),
})

/** Checks the certificate and its identity, then leaves rendering and recording to a job. */
export const notarize = (deps: NotarizeDependencies, call: NotarizeCall): Promise<Notarization> =>
  deps.inTurn({ key: call.companyId, signal: call.signal() }, () => accept(deps, call))

/** Throws if there are any, and the request or the company refuses them. */
const findingsIn = async (
  { users, database }: NotarizeDependencies,
  certificate: Certificate,
  { companyId, query }: NotarizeCall,
) => {
  const found = selfCheck(certificate)
  if (found.length === 0) return found
  if (query.onFindings === 'refuse' || (await users.refusesFindings(database.query, companyId)))
    throw new Problem('findings_refused', {
      reasons: found.map(({ pointer, reason }) => atPlace(pointer, reason)),
    })
  return found
}

const accept = async (deps: NotarizeDependencies, call: NotarizeCall): Promise<Notarization> => {
  const { companyId, mode } = call
  const startedAt = deps.tracer.now()
  await deps.admission.assertRoom(companyId, mode)
  const identityId = call.query.identity
  const { certificate, schema } = await checkCertificate(deps, call.body.bytes)
  const found = await findingsIn(deps, certificate, call)
  const checked = { checkedBy: checkedBy(schema), findings: found.map(shownFinding) }
  const { hash } = certificate
  await deps.keys.findSigningIdentity({ identityId, companyId, mode })
  await assertSellerAllowed(deps, { certificate, companyId, mode })
  const record = await deps.keys.findRecord({ mode, hash, file: 'json' })
  if (record !== undefined) {
    const answer = notarized(
      { hash, transactionId: record.transactionId, recordedAt: record.timestamp },
      checked,
    )
    // A key has one answer: that of its first request, which may have found no record.
    return call.hasKey ? call.commit(async () => answer) : answer
  }
  const now = new Date(deps.clock.now())
  const id = uuidv7(now.getTime())
  const { principal } = call
  const accepting = {
    row: {
      id,
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
      acceptedBy: principalName(principal),
      createdAt: now,
      updatedAt: now,
    },
    words: wordsOf(certificate),
    entry: {
      actor: principalName(principal),
      action: 'certificates.notarize',
      subject: id,
      companyId,
      ipAddress: call.client.ip,
      details: { mode, hash, identity: identityId, findings: found.length },
    },
    checked,
  } as const
  const answer = call.hasKey
    ? await call.commit((tx) => acceptCertificate(deps, tx, accepting))
    : await deps.acceptTogether(accepting)
  if (answer.jobId === id) traceAcceptance(deps, { id, companyId, mode, startedAt })
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
