import type { InspectToken } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import type { Tokens } from '../application-tokens/tokens.ts'

/** Reads a token out to whoever holds it: its claims as they were signed, not what its holder may do by now. */
export const inspectToken =
  ({ tokens }: { tokens: Pick<Tokens, 'verify'> }) =>
  async (token: Secret | undefined): Promise<InspectToken> => {
    if (token === undefined) {
      throw new Problem('unauthenticated', { details: ['Send the header authorization: Bearer <token>'] })
    }
    const { kind, mode, payload } = await tokens.verify(token)
    const { user, company, scopes } = payload as Pick<InspectToken, 'user' | 'company' | 'scopes'>
    return {
      claim: kind,
      ...(user === undefined ? {} : { user }),
      ...(company === undefined ? {} : { company }),
      iat: payload.iat ?? 0,
      iss: payload.iss ?? '',
      ...(payload.sub === undefined ? {} : { sub: payload.sub }),
      ...(payload.exp === undefined ? {} : { exp: payload.exp }),
      ...(typeof payload.aud === 'string' ? { aud: payload.aud } : {}),
      ...(payload.jti === undefined ? {} : { jti: payload.jti }),
      ...(scopes === undefined ? {} : { scopes }),
      ...(mode === undefined ? {} : { mode }),
    }
  }
