import type { Mode } from '@millseal/contract'
import type { Selectable } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'
import type { Certificates, RevocationReports } from '../../../ports/database/tables.ts'

/** The row of a report, created at the first call; locked until the transaction ends. */
export const lockReport = async (
  tx: Query,
  transactionId: string,
): Promise<Selectable<RevocationReports>> => {
  await tx
    .insertInto('revocationReports')
    .values({ transactionId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return tx
    .selectFrom('revocationReports')
    .selectAll()
    .where('transactionId', '=', transactionId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export const saveReport = async (
  tx: Query,
  transactionId: string,
  change: { readonly reportedTo: string } | { readonly finishedAt: Date },
): Promise<void> => {
  await tx.updateTable('revocationReports').set(change).where('transactionId', '=', transactionId).execute()
}

export type RevokedPage = {
  readonly companyId: string
  readonly identityId: string
  readonly mode: Mode
  readonly since: Date
  readonly before: Date | undefined
  readonly after: string | undefined
  readonly limit: number
}

/** The certificates that the identity signed and the ledger recorded within this time, with their bodies. */
export const findRevokedCertificates = (
  query: Query,
  { companyId, identityId, mode, since, before, after, limit }: RevokedPage,
): Promise<Omit<Selectable<Certificates>, 'pdf'>[]> => {
  let found = query
    .selectFrom('certificates')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('identityId', '=', identityId)
    .where('mode', '=', mode)
    .where('state', '=', 'notarized')
    .where('recordedAt', '>=', since)
  if (before !== undefined) found = found.where('recordedAt', '<', before)
  if (after !== undefined) found = found.where('id', '>', after)
  return found.orderBy('id').limit(limit).execute()
}

/** Whether a notarization with this identity has not ended yet. */
export const hasUnfinished = async (
  query: Query,
  { companyId, identityId }: { readonly companyId: string; readonly identityId: string },
): Promise<boolean> => {
  const found = await query
    .selectFrom('certificates')
    .select('id')
    .where('companyId', '=', companyId)
    .where('nextAttemptAt', 'is not', null)
    .where('identityId', '=', identityId)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
