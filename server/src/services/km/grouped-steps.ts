import { inBatches } from '../../lib/in-batches.ts'
import { inGroups } from '../../lib/in-groups.ts'
import type { Audit, AuditEntry } from '../../ports/audit/audit.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { Database } from '../../ports/database/database.ts'
import { findIdentitiesWithRoot } from './keys/identities.store.ts'
import { type IdentityWithKey, type SigningIdentityKey, usableIdentity } from './keys/signing-identity.ts'
import { insertTransactions, type NewTransaction } from './transactions/transactions.store.ts'

/** The steps of recording a certificate that certificates do together if they come at the same time. */
export type GroupedSteps = {
  /** Throws `not_found` for an identity of another company, `identity_not_usable` if it cannot sign in this mode. */
  findIdentity(key: SigningIdentityKey): Promise<IdentityWithKey>
  /** Durable when it resolves. */
  auditKeyUse(entry: AuditEntry): Promise<void>
  /** False if the company has stored this transaction before. A new row does not wait for the disk. */
  insertTransaction(transaction: NewTransaction): Promise<boolean>
}

const alone = { ifItFails: 'try each alone' } as const

export const groupSteps = ({
  database: { query },
  audit,
  clock,
}: {
  readonly database: Database
  readonly audit: Audit
  readonly clock: Clock
}): GroupedSteps => {
  const find = inBatches((ids) => findIdentitiesWithRoot(query, ids))
  return {
    findIdentity: async (key) => usableIdentity(await find(key.identityId), key),
    auditKeyUse: inGroups(async (entries: readonly AuditEntry[]) => {
      await audit.writeAlone(query, entries)
      return entries.map(() => undefined)
    }, alone),
    insertTransaction: inGroups(async (transactions: readonly NewTransaction[]) => {
      const now = new Date(clock.now())
      const inserted = await insertTransactions(query, transactions, { now, commit: 'later' })
      const isInserted = new Set(inserted.map(({ id }) => id))
      return transactions.map(({ id }) => isInserted.has(id))
    }, alone),
  }
}
