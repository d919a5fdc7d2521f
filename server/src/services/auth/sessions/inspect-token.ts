import type { InspectToken, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { AuthDependencies } from '../dependencies.ts'

/** Returns the claims as they were signed, not what the holder may do now. */
export const inspectToken = async (
  { tokens }: AuthDependencies,
  { accessToken }: Call<typeof operations.inspectToken>,
): Promise<InspectToken> => {
  if (accessToken === undefined) {
    throw new Problem('unauthenticated', { details: ['Send the header authorization: Bearer <token>'] })
  }
  const { kind, mode, payload } = await tokens.verify(accessToken)
  const { user, company, scopes } = payload as Pick<InspectToken, 'user' | 'company' | 'scopes'>
  return {
    claim: kind,
    user,
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
