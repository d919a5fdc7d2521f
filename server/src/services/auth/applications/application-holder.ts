import type { MachinePrincipal } from '../../../http/principal.ts'
import type { TokenClaims } from '../signing-keys/tokens.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { scopePairs } from '../scopes.ts'
import { findApplicationOfToken, saveLastUse } from './applications.store.ts'

const hourMs = 3_600_000

/**
 * A token of an application is valid as long as its record names it. Company, mode and scopes come from the record, not
 * from the token. Deleting a company deletes the records.
 */
export const findApplicationHolder = async (
  { database, clock }: AuthDependencies,
  { subject, tokenId }: TokenClaims,
): Promise<MachinePrincipal | undefined> => {
  const application = await findApplicationOfToken(database.query, { id: subject, tokenId })
  if (application === undefined) return undefined
  const now = new Date(clock.now())
  const before = new Date(now.getTime() - hourMs)
  if (application.lastUsedAt === null || application.lastUsedAt < before)
    await saveLastUse(database.query, application.id, { now, before })
  return {
    kind: 'application',
    id: application.id,
    companyId: application.companyId,
    mode: application.mode,
    scopes: scopePairs(JSON.parse(application.scopes)),
    tokenId,
  }
}
