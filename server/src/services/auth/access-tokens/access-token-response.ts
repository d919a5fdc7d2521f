import type { AccessToken } from '@millseal/contract'
import type { StoredAccessToken } from './access-tokens.store.ts'
import { audience } from '../signing-keys/tokens.ts'

/** The record without the token itself. */
export const toAccessTokenResponse = (token: StoredAccessToken): AccessToken => ({
  id: token.id,
  createdAt: token.createdAt.toISOString(),
  updatedAt: token.updatedAt.toISOString(),
  companyId: token.companyId,
  jwtId: token.tokenId,
  audience,
  description: token.description,
  issuedAt: token.issuedAt.getTime() / 1_000,
  expiresIn: (token.expiresAt.getTime() - token.issuedAt.getTime()) / 1_000,
  scopes: JSON.parse(token.scopes),
  mode: token.mode,
})
