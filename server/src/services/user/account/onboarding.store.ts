import { sql } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import { hasConfirmedFactor } from '../users/users.store.ts'

/** Counts companies the user owns as well as companies the user joined. */
export const findOnboardingSteps = (query: Query, userId: string) =>
  query
    .selectFrom('users')
    .select([
      sql<boolean>`email_confirmed_at is not null`.as('emailConfirmed'),
      sql<boolean>`exists (select from company_members m where m.user_id = users.id)`.as('companyCreated'),
      sql<boolean>`exists (
        select from company_members m join companies c on c.id = m.company_id
        where m.user_id = users.id and c.verified_at is not null
      )`.as('companyVerified'),
      hasConfirmedFactor.as('mfaEnabled'),
    ])
    .where('id', '=', userId)
    .executeTakeFirst()
