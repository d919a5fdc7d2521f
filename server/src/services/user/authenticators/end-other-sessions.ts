import type { UserPrincipal } from '../../../http/principal.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { saveSessionsEnd } from '../users/user-changes.store.ts'
import type { UserDependencies } from '../dependencies.ts'

/**
 * Call it in the transaction that adds, replaces or removes a factor: the other sessions were opened without the new
 * factor, or with the removed one. The caller must have locked the account.
 */
export const endOtherSessions = (
  { clock }: UserDependencies,
  tx: Transaction,
  { id, sessionId }: UserPrincipal,
): Promise<void> => saveSessionsEnd(tx, { id, keptSessionId: sessionId }, new Date(clock.now()))
