import { type CreateAccessToken, limits, type Mode } from '@millseal/contract'
import type { UserPrincipal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { AccessTokenDependencies } from './access-tokens.routes.ts'
import type { StoredAccessToken } from './access-tokens.store.ts'
import { readScopes } from '../scopes.ts'

type Wanted = {
  readonly body: CreateAccessToken
  readonly principal: UserPrincipal
  readonly companyId: string
  readonly mode: Mode
  /** The record to put the token into; a new one when there is none. */
  readonly record?: Pick<StoredAccessToken, 'id' | 'createdAt'>
}

/** Signs a long-lived token and says what is to be stored of it, which is everything but the token. */
export const issueAccessToken = async (
  { users, clock, tokens }: Pick<AccessTokenDependencies, 'users' | 'clock' | 'tokens'>,
  tx: Transaction,
  { body, principal, companyId, mode, record }: Wanted,
): Promise<{ stored: StoredAccessToken; jwt: Secret }> => {
  const scopes = readScopes(body.scopes)
  const company = await users.findCompany(tx, companyId)
  if (company === undefined) throw new Problem('not_found')
  const now = clock.now()
  const issuedAtMs = now - (now % 1_000)
  const lifetimeSeconds = body.expiresIn ?? limits.longLivedToken.defaultSeconds
  const stored: StoredAccessToken = {
    id: record?.id ?? uuidv7(now),
    companyId,
    userId: principal.id,
    tokenId: uuidv7(now),
    description: body.description ?? '',
    mode,
    scopes,
    issuedAt: new Date(issuedAtMs),
    expiresAt: new Date(issuedAtMs + lifetimeSeconds * 1_000),
    createdAt: record?.createdAt ?? new Date(now),
    updatedAt: new Date(now),
  }
  const { token: jwt } = await tokens.sign({
    kind: 'accesstoken',
    subject: stored.id,
    tokenId: stored.tokenId,
    companyId,
    mode,
    issuedAtMs,
    lifetimeSeconds,
    shown: { company: { id: company.id, vatId: company.vatId }, scopes },
  })
  return { stored, jwt }
}
