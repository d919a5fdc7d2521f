import { limits } from '@millseal/contract'
import type { Secret } from '../../../lib/secret.ts'
import type { AuthDependencies } from '../dependencies.ts'
import type { Audience } from '../signing-keys/tokens.ts'

type SessionToken = {
  readonly user: { readonly id: string }
  readonly sessionId: string
  readonly tokenId: string
  readonly nowMs: number
  /** Short by default, because the refresh token gets the next one. */
  readonly lifetimeSeconds?: number
  readonly audience?: Audience
}

/** Signs the access token of a person's session. It has the id of the user, and neither name nor address. */
export const signSessionToken = async (
  { tokens }: AuthDependencies,
  {
    user: { id },
    sessionId,
    tokenId,
    nowMs,
    lifetimeSeconds = limits.sessionAccessTokenSeconds,
    audience,
  }: SessionToken,
): Promise<Secret> => {
  const { token } = await tokens.sign({
    kind: 'user',
    subject: id,
    tokenId,
    sessionId,
    issuedAtMs: nowMs,
    lifetimeSeconds,
    audience,
    extraClaims: { user: { id } },
  })
  return token
}
