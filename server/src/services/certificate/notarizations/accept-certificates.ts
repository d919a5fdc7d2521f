import type { Mode, Notarization, RecordedIssuer } from '@millseal/contract'
import { inGroupsOf } from '../../../lib/in-groups.ts'
import { Problem } from '../../../lib/problem.ts'
import type { AuditEntry } from '../../../ports/audit/audit.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { sha256Hex } from '../hashing/hash.ts'
import { releaseNotice } from '../mails/release-mail.ts'
import { recordedIssuerOf } from '../verifications/issuer-name.ts'
import { assertDailyLimit } from './assert-daily-limit.ts'
import {
  findNotarizations,
  insertCertificates,
  type NewCertificate,
  type StoredCertificate,
} from '../certificates/certificates.store.ts'

export type Accepting = {
  readonly row: NewCertificate
  /** Those that it is found by. */
  readonly words: string
  readonly entry: AuditEntry
  readonly checked: Checked
}

/** What the answer says of the check. */
export type Checked = Pick<Notarization, 'checkedBy' | 'findings'>

/** Certificates of one company that arrive at the same time are accepted with the same statements. */
export const acceptTogether = (deps: CertificateDependencies): ((one: Accepting) => Promise<Notarization>) =>
  inGroupsOf(
    ({ row }) => row.companyId,
    (given: readonly Accepting[]) => deps.database.transaction((tx) => acceptCertificates(deps, tx, given)),
    { atOnce: 2, ifItFails: 'try each alone' },
  )

export const acceptCertificate = async (
  deps: CertificateDependencies,
  tx: Transaction,
  one: Accepting,
): Promise<Notarization> => {
  const [answer] = await acceptCertificates(deps, tx, [one])
  if (answer === undefined) throw new Error('A certificate has no answer')
  return answer
}

/** Those of one company. The answers are in their order; nothing is accepted if one may not be. */
const acceptCertificates = async (
  deps: CertificateDependencies,
  tx: Transaction,
  given: readonly Accepting[],
): Promise<Notarization[]> => {
  const inserted = await insertCertificates(tx, given)
  const added = given.filter(({ row }) => inserted.has(row.id))
  const [first] = added
  if (first !== undefined) {
    await deps.audit.write(tx, ...added.map(({ entry }) => entry))
    const { companyId, createdAt: now } = first.row
    await assertDailyLimit(deps, tx, { companyId, now, count: added.length })
    if (added.some(({ row }) => row.awaitsRelease)) await deps.jobs.enqueue(tx, releaseNotice, { companyId })
  }
  const answers: Notarization[] = []
  for (const { row, checked } of given) {
    const own = inserted.get(row.id)
    const [earlier] = own === undefined ? await findNotarizations(tx, row) : [own]
    answers.push(await answerOf(deps, { mode: row.mode, earlier, checked }))
  }
  return answers
}

/** Accepts one for the seller whom it names, whichever company was first. A repetition gets the notarization that exists. */
export const acceptOwn = async (
  deps: CertificateDependencies,
  tx: Transaction,
  { row, words, entry, checked }: Accepting,
  isRecorded: boolean,
): Promise<Notarization> => {
  const { mode, companyId } = row
  const isMine = (one: StoredCertificate): boolean => one.companyId === companyId
  const earlier = await findNotarizations(tx, row)
  const mine = earlier.find(isMine)
  if (mine !== undefined) return answerOf(deps, { mode, earlier: mine, checked })
  const own = isRecorded || earlier.length > 0
  const answer = await acceptCertificate(deps, tx, { row: { ...row, own }, words, entry, checked })
  if (answer.jobId === row.id) return answer
  // Another request was first. If it is that of another company, the next attempt stands beside it.
  return answerOf(deps, { mode, earlier: (await findNotarizations(tx, row)).find(isMine), checked })
}

/** Of the notarization that exists, whichever company started it. */
const answerOf = async (
  deps: CertificateDependencies,
  {
    mode,
    earlier,
    checked,
  }: {
    readonly mode: Mode
    readonly earlier: StoredCertificate | undefined
    readonly checked: Checked
  },
): Promise<Notarization> => {
  // It failed between the two statements: the next request can start another one.
  if (earlier === undefined) throw new Problem('unavailable', { retryAfterSeconds: 1 })
  const { hash, transactionId, recordedAt } = earlier
  if (transactionId === null || recordedAt === null) return pending(earlier, checked)
  const records = await deps.keys.findRecords({ mode, jsonHash: hash })
  const record = records.find((one) => one.transactionId === transactionId)
  const issuer = record && (await recordedIssuerOf(deps, mode, record))
  return notarized({ hash, transactionId, recordedAt, issuer }, checked)
}

const pending = (stored: StoredCertificate, checked: Checked): Notarization => ({
  isNewInstance: true,
  timestamp: stored.createdAt.toISOString(),
  hash: sha256Hex(stored.hash),
  ...checked,
  jobId: stored.id,
  // A repeated request has the same answer while a worker runs it.
  state: stored.awaitsRelease ? 'awaitingRelease' : 'accepted',
})

type Recorded = {
  readonly hash: string
  readonly transactionId: string
  readonly recordedAt: Date
  readonly issuer: RecordedIssuer | undefined
}

export const notarized = (
  { hash, transactionId, recordedAt, issuer }: Recorded,
  checked: Checked,
): Notarization => ({
  isNewInstance: false,
  timestamp: recordedAt.toISOString(),
  hash: sha256Hex(hash),
  ...checked,
  transactionId,
  issuer,
})
