import type { Principal } from '../../http/principal.ts'
import { Problem } from '../../lib/problem.ts'
import type { Secret } from '../../lib/secret.ts'
import { findAccessTokenHolder } from './access-tokens/access-token-holder.ts'
import type { TokenClaims } from './signing-keys/tokens.ts'
import { findApplicationHolder } from './applications/application-holder.ts'
import type { AuthDependencies } from './dependencies.ts'
import { findSessionHolder } from './sessions/session-holder.ts'

const finders = {
  user: findSessionHolder,
  application: findApplicationHolder,
  accesstoken: findAccessTokenHolder,
}

/** The holder of a token by the current records. Undefined if the token was revoked or its holder no longer exists. */
export const findHolder = (deps: AuthDependencies, claims: TokenClaims): Promise<Principal | undefined> =>
  finders[claims.kind](deps, claims)

/** The signature proves that this server issued the token; only its record proves that the token is still valid. */
export const authenticate = async (deps: AuthDependencies, token: Secret): Promise<Principal> => {
  const holder = await findHolder(deps, await deps.tokens.verify(token))
  if (holder === undefined) throw new Problem('token_invalid')
  return holder
}
