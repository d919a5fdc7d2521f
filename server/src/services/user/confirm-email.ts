import { Problem } from '../../lib/problem.ts'
import type { Secret } from '../../lib/secret.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { Database } from '../../ports/database/database.ts'
import { hashLinkToken } from './link-token.ts'
import { findLinkedUser } from './links.store.ts'
import { markEmailConfirmed } from './users.store.ts'

/** Harmless to repeat until the link expires: mail scanners open links before people do. */
export const confirmEmail =
  (deps: { database: Database; clock: Clock }) =>
  async (token: Secret): Promise<void> => {
    const now = new Date(deps.clock.now())
    const link = { tokenHash: hashLinkToken(token), purpose: 'confirm_email' } as const
    const userId = await findLinkedUser(deps.database.query, link, now)
    if (userId === undefined) throw new Problem('link_invalid')
    await markEmailConfirmed(deps.database.query, userId, now)
  }
