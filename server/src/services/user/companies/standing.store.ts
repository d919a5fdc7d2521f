import type { MemberRole } from '@millseal/contract'
import type { Query } from '../../../ports/database/database.ts'

type StandingTables = {
  companies: { id: string; verified_at: Date | null }
  company_members: { company_id: string; user_id: string; role: MemberRole }
  users: { id: string; status: 'active' | 'inactive' }
}

/** How a user stands to a company; a machine asks without a user. */
export const findStanding = async (
  query: Query,
  companyId: string,
  userId: string | undefined,
): Promise<{ companyId: string; verified: boolean; role: MemberRole | undefined } | undefined> => {
  const row = await query
    .withTables<StandingTables>()
    .selectFrom('companies as c')
    .leftJoin('company_members as m', (join) =>
      join.onRef('m.company_id', '=', 'c.id').on('m.user_id', '=', userId ?? null),
    )
    .select(['c.id', 'c.verified_at', 'm.role'])
    .where('c.id', '=', companyId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { companyId: row.id, verified: row.verified_at !== null, role: row.role ?? undefined }
}

export const isActiveMember = async (
  query: Query,
  { companyId, userId }: { companyId: string; userId: string },
): Promise<boolean> => {
  const row = await query
    .withTables<StandingTables>()
    .selectFrom('company_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('u.id')
    .where('m.company_id', '=', companyId)
    .where('m.user_id', '=', userId)
    .where('u.status', '=', 'active')
    .executeTakeFirst()
  return row !== undefined
}
