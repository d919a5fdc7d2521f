import { type Insertable, type Selectable, sql } from 'kysely'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { MailBounces, MailRecipients, MailSuppressions } from '../../../ports/database/tables.ts'

export type StoredSuppression = Selectable<MailSuppressions>
export type StoredRecipient = Selectable<MailRecipients>

/** Those that stop mails of this company to these addresses. A hard bounce of an account's mail stops none of them. */
export const findSuppressions = async (
  query: Query,
  { companyId, addresses }: { readonly companyId: string; readonly addresses: readonly string[] },
): Promise<StoredSuppression[]> =>
  query
    .selectFrom('mailSuppressions')
    .selectAll()
    .where('address', '=', sql<string>`any(${[...addresses]}::text[])`)
    .where((of) =>
      of.or([
        of('companyId', '=', companyId),
        of.and([of('companyId', 'is', null), of('reason', '=', 'unsubscribed')]),
      ]),
    )
    .execute()

/** When a mail about an account last bounced for good at this address. */
export const findAccountBounce = async (query: Query, address: string): Promise<Date | undefined> => {
  const row = await query
    .selectFrom('mailSuppressions')
    .select('createdAt')
    .where('companyId', 'is', null)
    .where('address', '=', address.toLowerCase())
    .where('reason', '=', 'hard_bounce')
    .executeTakeFirst()
  return row?.createdAt
}

/** Newest first. */
export const findSuppressionPage = (
  query: Query,
  companyId: string,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<StoredSuppression[]> => {
  const found = query
    .selectFrom('mailSuppressions')
    .selectAll()
    .where('companyId', '=', companyId)
    .orderBy('id', 'desc')
    .limit(limit)
  return (after === undefined ? found : found.where('id', '<', after)).execute()
}

export const findSuppression = (
  query: Query,
  { companyId, id }: { readonly companyId: string; readonly id: string },
): Promise<StoredSuppression | undefined> =>
  query
    .selectFrom('mailSuppressions')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst()

export const deleteSuppression = async (tx: Query, id: string): Promise<void> => {
  await tx.deleteFrom('mailSuppressions').where('id', '=', id).execute()
}

/** A repeated one only gets the new time and detail. */
export const suppress = async (
  tx: Query,
  { address, ...suppression }: Omit<Insertable<MailSuppressions>, 'id' | 'createdAt'>,
  now: Date,
): Promise<void> => {
  await tx
    .insertInto('mailSuppressions')
    .values({ ...suppression, id: uuidv7(now.getTime()), address: address.toLowerCase(), createdAt: now })
    .onConflict((conflict) =>
      conflict.columns(['companyId', 'address', 'reason']).doUpdateSet((of) => ({
        createdAt: of.ref('excluded.createdAt'),
        detail: of.ref('excluded.detail'),
      })),
    )
    .execute()
}

/** Undoes what the receiver asked for. */
export const resubscribe = async (
  tx: Query,
  { companyId, address }: { readonly companyId: string; readonly address: string },
): Promise<void> => {
  await tx
    .deleteFrom('mailSuppressions')
    .where('address', '=', address)
    .where('reason', '=', 'unsubscribed')
    .where((of) => of.or([of('companyId', '=', companyId), of('companyId', 'is', null)]))
    .execute()
}

/** False if the provider repeated the report. */
export const insertBounce = async (tx: Query, bounce: Insertable<MailBounces>): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('mailBounces')
    .values(bounce)
    .onConflict((conflict) => conflict.column('reportId').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

type Bounced = { readonly companyId: string | null; readonly address: string }

/** How many temporary failures there were since, and since the last delivery. */
export const countBounces = async (
  query: Query,
  { companyId, address, since }: Bounced & { readonly since: Date },
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from mail_bounces
    where address = ${address} and company_id is not distinct from ${companyId}::uuid
      and bounced_at >= ${since} and not is_hard and not is_lifted`.execute(query)
  return rows[0]?.count ?? 0
}

/** A delivery shows that the address works. */
export const liftBounces = async (
  tx: Query,
  { companyId, address, at }: Bounced & { readonly at: Date },
): Promise<void> => {
  await sql`
    update mail_bounces set is_lifted = true
    where address = ${address} and company_id is not distinct from ${companyId}::uuid and bounced_at < ${at}`.execute(
    tx,
  )
  await sql`
    delete from mail_suppressions
    where address = ${address} and company_id is not distinct from ${companyId}::uuid and created_at < ${at}
      and reason in ('hard_bounce', 'soft_bounces')`.execute(tx)
}

export const findRecipient = (
  query: Query,
  by: Pick<StoredRecipient, 'companyId' | 'address'> | Pick<StoredRecipient, 'tokenHash'>,
): Promise<StoredRecipient | undefined> =>
  query
    .selectFrom('mailRecipients')
    .selectAll()
    .where((of) => of.and(by))
    .executeTakeFirst()

/** Has no effect if the company was deleted or has this recipient. */
export const insertRecipient = async (
  query: Query,
  { id, companyId, address, tokenHash, encryptedToken, createdAt }: StoredRecipient,
): Promise<void> => {
  await sql`
    insert into mail_recipients (id, company_id, address, token_hash, encrypted_token, created_at)
    select ${id}::uuid, id, ${address}::text, ${tokenHash}::bytea, ${encryptedToken}::bytea, ${createdAt}::timestamptz
    from companies where id = ${companyId}
    on conflict do nothing`.execute(query)
}
