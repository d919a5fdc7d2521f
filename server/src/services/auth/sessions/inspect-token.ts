import type { InspectToken, operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import type { Principal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { AuthDependencies } from '../dependencies.ts'

/** Returns the claims as they were signed, not what the holder may do now; the token has only the id of its user. */
export const inspectToken = async (
  { tokens }: AuthDependencies,
  { accessToken, principal }: Call<typeof operations.inspectToken>,
): Promise<InspectToken> => {
  if (accessToken === undefined) {
    throw new Problem('unauthenticated', { reasons: [because('send_token')] })
  }
  const { kind, mode, payload } = await tokens.verify(accessToken)
  const { company, scopes } = payload as Pick<InspectToken, 'company' | 'scopes'>
  return {
    claim: kind,
    user: userOf(principal),
    company,
    iat: payload.iat ?? 0,
    iss: payload.iss ?? '',
    sub: payload.sub,
    exp: payload.exp,
    aud: typeof payload.aud === 'string' ? payload.aud : undefined,
    jti: payload.jti,
    scopes,
    mode,
  }
}

const userOf = (principal: Principal): InspectToken['user'] => {
  if (principal.kind !== 'user') return undefined
  const { id, username, email } = principal
  return { id, username, email }
}
