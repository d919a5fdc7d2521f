import type { Authenticate } from '../../http/gate.ts'
import type { Principal } from '../../http/principal.ts'
import { Problem } from '../../lib/problem.ts'
import type { TokenClaims, TokenKind, Tokens } from './application-tokens/tokens.ts'

/** The holder of a token, as the records have it now; nothing when the token was revoked or its holder is gone. */
export type FindHolder = (claims: TokenClaims) => Promise<Principal | undefined>

export const holderByKind =
  (holders: Readonly<Record<TokenKind, FindHolder>>): FindHolder =>
  (claims) =>
    holders[claims.kind](claims)

/** A signature proves that a token was ours; only its record proves that it still counts. */
export const authenticateWith =
  (tokens: Tokens, findHolder: FindHolder): Authenticate =>
  async (token) => {
    const holder = await findHolder(await tokens.verify(token))
    if (holder === undefined) throw new Problem('token_invalid')
    return holder
  }
