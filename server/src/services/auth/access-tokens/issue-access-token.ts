import { type CreateAccessToken, limits, type Mode } from '@millseal/contract'
import type { UserPrincipal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { readScopes } from '../scopes.ts'
import type { StoredAccessToken } from './access-tokens.store.ts'

type Wanted = {
  readonly body: CreateAccessToken
  readonly principal: UserPrincipal
  readonly companyId: string
  readonly mode: Mode
  /** The record to put the token into. Undefined for a new one. */
  readonly recordId?: string
}

/** Signs a long-lived token. Returns it together with what to store, which does not include the token. */
export const issueAccessToken = async (
  { users, clock, tokens }: AuthDependencies,
  tx: Transaction,
  { body, principal, companyId, mode, recordId }: Wanted,
): Promise<{ readonly columns: Omit<StoredAccessToken, 'createdAt'>; readonly jwt: Secret }> => {
  const scopes = readScopes(body.scopes)
  const company = await users.findCompany(tx, companyId)
  if (company === undefined) throw new Problem('not_found')
  const now = clock.now()
  const issuedAtMs = now - (now % 1_000)
  const lifetimeSeconds = body.expiresIn ?? limits.longLivedToken.defaultSeconds
  const columns = {
    id: recordId ?? uuidv7(now),
    companyId,
    userId: principal.id,
    tokenId: uuidv7(now),
    description: body.description ?? '',
    mode,
    scopes: JSON.stringify(scopes),
    issuedAt: new Date(issuedAtMs),
    expiresAt: new Date(issuedAtMs + lifetimeSeconds * 1_000),
    updatedAt: new Date(now),
  }
  const { token: jwt } = await tokens.sign({
    kind: 'accesstoken',
    subject: columns.id,
    tokenId: columns.tokenId,
    companyId,
    mode,
    issuedAtMs,
    lifetimeSeconds,
    extraClaims: { company: { id: company.id, vatId: company.vatId }, scopes },
  })
  return { columns, jwt }
}
