import type { Notarization } from '@millseal/contract'
import { inGroupsOf } from '../../../lib/in-groups.ts'
import { Problem } from '../../../lib/problem.ts'
import type { AuditEntry } from '../../../ports/audit/audit.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { sha256Hex } from '../hashing/hash.ts'
import { assertDailyLimit } from './assert-daily-limit.ts'
import {
  findNotarization,
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
  }
  const answers: Notarization[] = []
  for (const { row, checked } of given) {
    const own = inserted.get(row.id)
    answers.push(
      own === undefined ? existing(await findNotarization(tx, row), checked) : pending(own, checked),
    )
  }
  return answers
}

/** The notarization of this certificate that exists already, whichever company started it. */
const existing = (first: StoredCertificate | undefined, checked: Checked): Notarization => {
  // It failed between the two statements: the next request can start another one.
  if (first === undefined) throw new Problem('unavailable', { retryAfterSeconds: 1 })
  const { hash, transactionId, recordedAt } = first
  return transactionId === null || recordedAt === null
    ? pending(first, checked)
    : notarized({ hash, transactionId, recordedAt }, checked)
}

const pending = ({ id, hash, createdAt }: StoredCertificate, checked: Checked): Notarization => ({
  isNewInstance: true,
  timestamp: createdAt.toISOString(),
  hash: sha256Hex(hash),
  ...checked,
  jobId: id,
})

type Recorded = { readonly hash: string; readonly transactionId: string; readonly recordedAt: Date }

export const notarized = ({ hash, transactionId, recordedAt }: Recorded, checked: Checked): Notarization => ({
  isNewInstance: false,
  timestamp: recordedAt.toISOString(),
  hash: sha256Hex(hash),
  ...checked,
  transactionId,
})
