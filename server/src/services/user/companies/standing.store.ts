import type { Standing } from '../../../http/authorize.ts'
import { type Query } from '../../../ports/database/database.ts'

/** Applications have no user id, and so no role. */
export const findStanding = async (
  query: Query,
  companyId: string,
  userId: string | undefined,
): Promise<Standing | undefined> => {
  const row = await query
    .selectFrom('companies as c')
    .leftJoin('companyMembers as m', (join) =>
      join.onRef('m.companyId', '=', 'c.id').on('m.userId', '=', userId ?? null),
    )
    .select(['c.verifiedAt', 'm.role'])
    .where('c.id', '=', companyId)
    .executeTakeFirst()
  return row && { verified: row.verifiedAt !== null, role: row.role ?? undefined }
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
