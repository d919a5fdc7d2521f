import type { Query } from '../../../ports/database/database.ts'

export type LinkPurpose = 'confirm_email' | 'confirm_new_email' | 'reset_password'

type LinkTables = {
  user_links: {
    token_hash: Uint8Array
    user_id: string
    purpose: LinkPurpose
    expires_at: Date
    created_at: Date
    new_email: string | null
  }
}

export type StoredLink = {
  readonly tokenHash: Uint8Array
  readonly userId: string
  readonly purpose: LinkPurpose
  readonly expiresAt: Date
  /** The address a `confirm_new_email` link was sent to. */
  readonly newEmail?: string
}

export const insertLink = async (query: Query, link: StoredLink, now: Date): Promise<void> => {
  await query
    .withTables<LinkTables>()
    .insertInto('user_links')
    .values({
      token_hash: link.tokenHash,
      user_id: link.userId,
      purpose: link.purpose,
      expires_at: link.expiresAt,
      created_at: now,
      new_email: link.newEmail ?? null,
    })
    .execute()
}

export const findLink = async (
  query: Query,
  { tokenHash, purposes }: { tokenHash: Uint8Array; purposes: readonly LinkPurpose[] },
  now: Date,
): Promise<StoredLink | undefined> => {
  const row = await query
    .withTables<LinkTables>()
    .selectFrom('user_links')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('purpose', 'in', purposes)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row === undefined ? undefined : toLink(row)
}

/** Also those not used: whoever still holds one, it was made for a state of the account that is over. */
export const deleteLinksOf = async (
  tx: Query,
  userId: string,
  purposes: readonly LinkPurpose[],
): Promise<void> => {
  await tx
    .withTables<LinkTables>()
    .deleteFrom('user_links')
    .where('user_id', '=', userId)
    .where('purpose', 'in', purposes)
    .execute()
}

export const deleteExpiredLinks = async (query: Query, now: Date): Promise<void> => {
  await query.withTables<LinkTables>().deleteFrom('user_links').where('expires_at', '<=', now).execute()
}

const toLink = (row: LinkTables['user_links']): StoredLink => ({
  tokenHash: row.token_hash,
  userId: row.user_id,
  purpose: row.purpose,
  expiresAt: row.expires_at,
  ...(row.new_email === null ? {} : { newEmail: row.new_email }),
})
