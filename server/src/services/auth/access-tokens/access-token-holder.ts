import type { MachinePrincipal } from '../../../http/principal.ts'
import type { TokenClaims } from '../signing-keys/tokens.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { scopePairs } from '../scopes.ts'
import { findRecordOfToken } from './access-tokens.store.ts'

/** A long-lived token is valid as long as its record names it and its creator is an active member of the company. */
export const findAccessTokenHolder = async (
  { database, clock, users }: AuthDependencies,
  { subject, tokenId }: TokenClaims,
): Promise<MachinePrincipal | undefined> => {
  const record = await findRecordOfToken(database.query, { id: subject, tokenId }, new Date(clock.now()))
  if (record === undefined || !(await users.isActiveMember(record))) return undefined
  return {
    kind: 'accesstoken',
    id: record.id,
    companyId: record.companyId,
    mode: record.mode,
    scopes: scopePairs(JSON.parse(record.scopes)),
    tokenId,
  }
}
