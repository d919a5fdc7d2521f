import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

export type OnboardingFacts = {
  readonly emailConfirmed: boolean
  readonly companyCreated: boolean
  readonly companyVerified: boolean
  readonly mfaEnabled: boolean
}

type OnboardingTables = { users: { id: string; email_confirmed_at: Date | null } }

/** Any company will do, of one's own or one that was joined. */
export const findOnboarding = async (query: Query, userId: string): Promise<OnboardingFacts | undefined> => {
  const row = await query
    .withTables<OnboardingTables>()
    .selectFrom('users')
    .select([
      'email_confirmed_at',
      sql<boolean>`exists (select from company_members m where m.user_id = users.id)`.as('has_company'),
      sql<boolean>`exists (
        select from company_members m join companies c on c.id = m.company_id
        where m.user_id = users.id and c.verified_at is not null
      )`.as('has_verified_company'),
      sql<boolean>`exists (
        select from mfa_factors f where f.user_id = users.id and f.confirmed_at is not null
      )`.as('has_mfa'),
    ])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    emailConfirmed: row.email_confirmed_at !== null,
    companyCreated: row.has_company,
    companyVerified: row.has_verified_company,
    mfaEnabled: row.has_mfa,
  }
}
