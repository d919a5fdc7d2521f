import type { FourEyes, MemberRole } from '@millseal/contract'
import { sql } from 'kysely'
import type { Standing } from '../../../http/authorize.ts'
import { type Query } from '../../../ports/database/database.ts'
import { memberRole } from './members.store.ts'

/** Applications have no user id, and so no role. */
export type StandingKey = { readonly companyId: string; readonly userId: string | undefined }

export const standingKey = ({ companyId, userId = '' }: StandingKey): string => `${companyId}/${userId}`

/** By their keys, without those of companies that do not exist. */
export const findStandings = async (
  query: Query,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Standing>> => {
  const wanted = keys.map((key) => key.split('/'))
  const { rows } = await sql<{
    readonly companyId: string
    readonly userId: string | null
    readonly isVerified: boolean
    readonly role: MemberRole | null
  }>`
    select c.id as company_id, w.user_id, c.verified_at is not null as is_verified, ${memberRole} as role
    from unnest(
      ${wanted.map(([companyId]) => companyId)}::uuid[], ${wanted.map(([, userId]) => userId || null)}::uuid[]
    ) as w (company_id, user_id)
    join companies c on c.id = w.company_id
    left join company_members m on m.company_id = c.id and m.user_id = w.user_id`.execute(query)
  return new Map(
    rows.map(({ companyId, userId, isVerified, role }) => [
      standingKey({ companyId, userId: userId ?? undefined }),
      { verified: isVerified, role: role ?? undefined },
    ]),
  )
}

/** By company, without those that do not exist. */
export const findFourEyes = async (
  query: Query,
  companyIds: readonly string[],
): Promise<ReadonlyMap<string, FourEyes>> => {
  const found = await query
    .selectFrom('companies')
    .select(['id', 'fourEyes'])
    .where('id', '=', sql<string>`any (${[...companyIds]}::uuid[])`)
    .execute()
  return new Map(found.map(({ id, fourEyes }) => [id, fourEyes]))
}

export const isActiveMember = async (
  query: Query,
  { companyId, userId }: { companyId: string; userId: string },
): Promise<boolean> => {
  const row = await query
    .selectFrom('companyMembers as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .select('u.id')
    .where('m.companyId', '=', companyId)
    .where('m.userId', '=', userId)
    .where('u.status', '=', 'active')
    .executeTakeFirst()
  return row !== undefined
}
