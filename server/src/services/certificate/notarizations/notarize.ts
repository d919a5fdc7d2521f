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
import { signerOf } from '@millseal/proof'
import type { Transaction } from '../../../ports/database/database.ts'
import {
  assertReplacesAlready,
  type Replacing,
  requireReplaced,
  startReplacement,
} from '../corrections/replace-by-new.ts'
import { assertSellerAllowed } from '../sellers/other-seller.ts'
import { assertMayRecordOwn } from '../sellers/own-entry.ts'
import { allowOwnEntries } from '../certificates/certificates.store.ts'
import { lockReplacements } from '../certificates/corrections.store.ts'
import { wordsOf } from '../certificates/search-words.ts'
import { recordedIssuerOf } from '../verifications/issuer-name.ts'
import {
  acceptCertificate,
  type Accepting,
  type Checked,
  acceptOwn,
  acceptTogether,
  notarized,
} from './accept-certificates.ts'
import { createAdmission } from './admission.ts'

const dayMs = 86_400_000

/** A crowd waits after every outage. The longest wait ends before a proxy gives up. */
export const acceptingTurns = { atOnce: 8, longestWaitMs: 10_000 }

type NotarizeCall = Call<typeof operations.notarizeCertificate | typeof operations.notarizeCertificateFile>
export type NotarizeDependencies = ReturnType<typeof withTurns>

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
  const isOwn = call.query.own === true
  const startedAt = deps.tracer.now()
  await deps.admission.assertRoom(companyId, mode)
  const identityId = call.query.identity
  const { certificate, schema } = await checkCertificate(deps, call.body.bytes)
  const replacing = await requireReplaced(deps, call)
  const found = await findingsIn(deps, certificate, call)
  const checked = { checkedBy: checkedBy(schema), findings: found.map(shownFinding) }
  const { hash } = certificate
  const { did } = await deps.keys.findSigningIdentity({ identityId, companyId, mode })
  await assertSellerAllowed(deps, { certificate, companyId, mode })
  // Together: the more those of a crowd wait one after the other, the fewer share a transaction.
  const [records, waits] = await Promise.all([
    deps.keys.findRecords({ mode, jsonHash: hash }),
    waitsForRelease(deps, call),
  ])
  const [first] = records
  if (isOwn) await assertMayRecordOwn(deps, { mode, certificate, companyId, first })
  const record = isOwn ? records.find(({ transaction }) => signerOf(transaction) === did) : first
  if (record !== undefined) {
    const { transactionId, timestamp: recordedAt } = record
    if (replacing !== undefined) await assertReplacesAlready(deps.database.query, replacing, hash)
    const issuer = await recordedIssuerOf(deps, mode, record)
    const answer = notarized({ hash, transactionId, recordedAt, issuer }, checked)
    // A key has one answer: that of its first request, which may have found no record.
    return call.hasKey ? call.commit(async () => answer) : answer
  }
  const accepting = acceptingOf(deps, call, { certificate, family: schema.family, checked, waits })
  const { id } = accepting.row
  const answer = await acceptFor(deps, call, { accepting, replacing, isRecorded: first !== undefined })
  if (answer.jobId === id) traceAcceptance(deps, { id, companyId, mode, startedAt })
  return answer
}

/** Until a second person releases it. */
const waitsForRelease = async (
  { users }: CertificateDependencies,
  { companyId, principal }: NotarizeCall,
): Promise<boolean> => {
  const rule = await users.findFourEyes(companyId)
  return rule === 'everyone' || (rule === 'people' && principal.kind === 'user')
}

/** Those with a key, own entries and replacements are rare: each has a transaction of its own. */
const acceptFor = async (
  deps: NotarizeDependencies,
  call: NotarizeCall,
  {
    accepting,
    replacing,
    isRecorded,
  }: {
    readonly accepting: Accepting
    readonly replacing: Replacing | undefined
    readonly isRecorded: boolean
  },
): Promise<Notarization> => {
  const isOwn = call.query.own === true
  if (!isOwn && !call.hasKey && replacing === undefined) return deps.acceptTogether(accepting)
  if (isOwn) await allowOwnEntries(deps.database.query)
  const acceptIn = (tx: Transaction): Promise<Notarization> => {
    if (replacing !== undefined) return acceptReplacing(deps, tx, { accepting, replacing, call })
    return isOwn ? acceptOwn(deps, tx, accepting, isRecorded) : acceptCertificate(deps, tx, accepting)
  }
  return call.hasKey ? call.commit(acceptIn) : deps.database.transaction(acceptIn)
}

/** Accepts both or neither. */
const acceptReplacing = async (
  deps: NotarizeDependencies,
  tx: Transaction,
  {
    accepting,
    replacing,
    call,
  }: { readonly accepting: Accepting; readonly replacing: Replacing; readonly call: NotarizeCall },
): Promise<Notarization> => {
  const { id: newId, companyId, hash } = accepting.row
  await lockReplacements(tx, companyId)
  const answer = await acceptCertificate(deps, tx, accepting)
  if (answer.jobId === newId) await startReplacement(deps, tx, { replacing, newId, call })
  else await assertReplacesAlready(tx, replacing, hash)
  return answer
}

const acceptingOf = (
  { clock }: CertificateDependencies,
  { companyId, mode, query, principal, client }: NotarizeCall,
  {
    certificate,
    family,
    checked,
    waits,
  }: {
    readonly certificate: Certificate
    readonly family: string
    readonly checked: Checked
    readonly waits: boolean
  },
): Accepting => {
  const now = new Date(clock.now())
  const id = uuidv7(now.getTime())
  const { hash } = certificate
  return {
    row: {
      id,
      companyId,
      identityId: query.identity,
      mode,
      state: 'accepted',
      awaitsRelease: waits,
      replaces: query.replaces ?? null,
      refSchemaUrl: certificate.refSchemaUrl,
      family,
      hash,
      summary: JSON.stringify(summarize(certificate)),
      body: certificate.bytes,
      retainedUntil: new Date(now.getTime() + limits.certificateRetentionDays * dayMs),
      nextAttemptAt: waits ? null : now,
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
      ipAddress: client.ip,
      details: {
        mode,
        hash,
        identity: query.identity,
        findings: checked.findings.length,
        own: query.own === true || undefined,
        replaces: query.replaces,
        awaitsRelease: waits || undefined,
      },
    },
    checked,
  }
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
