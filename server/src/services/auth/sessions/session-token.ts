import { limits } from '@millseal/contract'
import type { Secret } from '../../../lib/secret.ts'
import type { Signer } from '../../user/index.ts'
import type { Tokens } from '../application-tokens/tokens.ts'

type Holder = Pick<Signer, 'id' | 'username' | 'email'>
type Issue = {
  readonly user: Holder
  readonly sessionId: string
  readonly tokenId: string
  readonly nowMs: number
}

/** The access token of a person's session: short-lived, because the refresh token brings the next one. */
export const signSessionToken = async (
  tokens: Pick<Tokens, 'sign'>,
  { user, sessionId, tokenId, nowMs }: Issue,
): Promise<Secret> => {
  const { token } = await tokens.sign({
    kind: 'user',
    subject: user.id,
    tokenId,
    sessionId,
    issuedAtMs: nowMs,
    lifetimeSeconds: limits.sessionAccessTokenSeconds,
    shown: { user: { id: user.id, username: user.username, email: user.email } },
  })
  return token
}
