import type { Query } from '../../ports/database/database.ts'

export type LinkPurpose = 'confirm_email' | 'reset_password'

type LinkTables = {
  user_links: {
    token_hash: Uint8Array
    user_id: string
    purpose: LinkPurpose
    expires_at: Date
    created_at: Date
  }
}

export type StoredLink = {
  readonly tokenHash: Uint8Array
  readonly userId: string
  readonly purpose: LinkPurpose
  readonly expiresAt: Date
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
    })
    .execute()
}

export const findLinkedUser = async (
  query: Query,
  link: { tokenHash: Uint8Array; purpose: LinkPurpose },
  now: Date,
): Promise<string | undefined> => {
  const row = await query
    .withTables<LinkTables>()
    .selectFrom('user_links')
    .select('user_id')
    .where('token_hash', '=', link.tokenHash)
    .where('purpose', '=', link.purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.user_id
}

export const deleteExpiredLinks = async (query: Query, now: Date): Promise<void> => {
  await query.withTables<LinkTables>().deleteFrom('user_links').where('expires_at', '<=', now).execute()
}
