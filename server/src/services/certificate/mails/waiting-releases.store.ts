import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

export type WaitingReleases = {
  readonly mode: Mode
  /** Who submitted them, as in audit entries. */
  readonly acceptedBy: string
  readonly count: number
  readonly newest: Date
}

/** What waits for a release in this company, by mode and person. */
export const findWaitingReleases = (query: Query, companyId: string): Promise<WaitingReleases[]> =>
  query
    .selectFrom('certificates')
    .select(['mode', 'acceptedBy'])
    .select([sql<number>`count(*)::int`.as('count'), sql<Date>`max(created_at)`.as('newest')])
    .where('companyId', '=', companyId)
    .where('awaitsRelease', '=', sql.lit(true))
    .groupBy(['mode', 'acceptedBy'])
    .$castTo<WaitingReleases>()
    .execute()
