import { type ListeningToken, limits, type operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { listeningAudience } from '../signing-keys/tokens.ts'
import { signSessionToken } from './session-token.ts'

/** Needs no recent sign-in: the session can read the same by its calls. */
export const readListeningToken = async (
  deps: AuthDependencies,
  { principal }: Call<typeof operations.readListeningToken>,
): Promise<ListeningToken> => {
  const nowMs = deps.clock.now()
  const token = await signSessionToken(deps, {
    user: principal,
    sessionId: principal.sessionId,
    tokenId: uuidv7(nowMs),
    nowMs,
    audience: listeningAudience,
  })
  return {
    accessToken: token.reveal(),
    expiresAt: new Date(nowMs + limits.sessionAccessTokenSeconds * 1_000).toISOString(),
  }
}
