import { limits, modes, type Mode } from '@millseal/contract'
import { errors as joseErrors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import { isUuid } from '../../../lib/uuid.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { SigningKeys } from './signing-keys.ts'
import { isCanonicalToken } from './token-form.ts'
import { createVerifiedTokens } from './verified-tokens.ts'

/** RFC 9068: this type keeps other tokens of the server, such as ID tokens, from being used as access tokens. */
const type = 'at+jwt'
const algorithm = 'EdDSA'
export const audience = 'millseal'
/** Tokens for it open the broker and nothing else. */
export const listeningAudience = 'millseal-events'
export type Audience = typeof audience | typeof listeningAudience
const maxTokenLength = 4_096
export const clockToleranceSeconds = 5

const tokenKinds = ['user', 'application', 'accesstoken'] as const
export type TokenKind = (typeof tokenKinds)[number]

const longestSeconds: Readonly<Record<TokenKind, number>> = {
  user: limits.accessTokenSeconds,
  application: limits.accessTokenSeconds,
  accesstoken: limits.longLivedToken.maxSeconds,
}

export type TokenClaims = {
  readonly kind: TokenKind
  /** The user, the application, or the record of the long-lived token. */
  readonly subject: string
  readonly tokenId: string
  /** Only in tokens of persons. */
  readonly sessionId?: string
  /** Only in tokens of machines. */
  readonly companyId?: string
  readonly mode?: Mode
}

export type TokenToSign = TokenClaims & {
  readonly issuedAtMs: number
  readonly lifetimeSeconds: number
  readonly audience?: Audience | undefined
  /** Information for clients that read the token. The server never relies on it. */
  readonly extraClaims?: Readonly<Record<string, unknown>>
  /** The key that signed the same claims before, which gives the same token again. */
  readonly keyId?: string
}

type TokenDependencies = {
  readonly keys: SigningKeys
  readonly clock: Clock
  readonly issuer: () => string
}

export type Tokens = {
  sign(token: TokenToSign): Promise<{ readonly token: Secret; readonly keyId: string }>
  /**
   * Returns the claims. Throws `token_invalid`, also for a token with another audience, or `token_expired`. Its record
   * decides whether it was revoked.
   */
  verify(token: Secret, accepted?: readonly Audience[]): Promise<Verified>
}

type Verified = TokenClaims & { readonly payload: JWTPayload }

export const createTokens = (deps: TokenDependencies): Tokens => {
  const verified = createVerifiedTokens<Verified & { readonly keyId: string; readonly issuer: string }>(deps)
  return {
    sign: (token) => sign(deps, token),
    async verify(token, accepted = [audience]) {
      const cached = verified.find(token)
      if (cached?.issuer === deps.issuer() && (await deps.keys.verification(cached.keyId)) !== undefined)
        return meantFor(accepted, cached)
      const { claims, keyId } = await verify(deps, token)
      const { iat = 0, exp = 0 } = claims.payload
      verified.store(
        token,
        { ...claims, keyId, issuer: deps.issuer() },
        { fromMs: (iat - clockToleranceSeconds) * 1_000, untilMs: exp * 1_000 },
      )
      return meantFor(accepted, claims)
    },
  }
}

const meantFor = (accepted: readonly Audience[], claims: Verified): Verified => {
  if (accepted.some((each) => each === claims.payload.aud)) return claims
  throw new Problem('token_invalid')
}

const sign = async ({ keys, issuer }: TokenDependencies, token: TokenToSign): ReturnType<Tokens['sign']> => {
  const { id, key } = await keys.signing(token.keyId)
  const issuedAt = Math.floor(token.issuedAtMs / 1_000)
  const jwt = await new SignJWT({
    ...token.extraClaims,
    kind: token.kind,
    sid: token.sessionId,
    company_id: token.companyId,
    mode: token.mode,
  })
    .setProtectedHeader({ alg: algorithm, typ: type, kid: id })
    .setIssuer(issuer())
    .setAudience(token.audience ?? audience)
    .setSubject(token.subject)
    .setJti(token.tokenId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + token.lifetimeSeconds)
    .sign(key)
  return { token: new Secret(jwt), keyId: id }
}

/** RFC 8725: one algorithm, only keys of this server, and every claim with a meaning is required. */
const verify = async (
  { keys, clock, issuer }: TokenDependencies,
  token: Secret,
): Promise<{ claims: Verified; keyId: string }> => {
  const compact = token.reveal()
  if (compact.length > maxTokenLength || !isCanonicalToken(compact)) throw new Problem('token_invalid')
  const { payload, protectedHeader } = await jwtVerify(
    compact,
    async ({ kid }) => {
      const key = kid === undefined ? undefined : await keys.verification(kid)
      if (key === undefined) throw new Problem('token_invalid')
      return key
    },
    {
      algorithms: [algorithm],
      typ: type,
      audience: [audience, listeningAudience],
      issuer: issuer(),
      requiredClaims: ['sub', 'jti', 'iat', 'exp', 'kind'],
      maxTokenAge: limits.longLivedToken.maxSeconds,
      clockTolerance: clockToleranceSeconds,
      currentDate: new Date(clock.now()),
    },
  ).catch((error: unknown) => {
    if (error instanceof joseErrors.JWTExpired) throw new Problem('token_expired', { cause: error })
    if (error instanceof joseErrors.JOSEError) throw new Problem('token_invalid', { cause: error })
    throw error
  })
  return { claims: { ...toClaims(payload), payload }, keyId: protectedHeader.kid ?? '' }
}

const toClaims = (payload: JWTPayload): TokenClaims => {
  const kind = tokenKinds.find((known) => known === payload['kind'])
  const mode = modes.find((known) => known === payload['mode'])
  const { sub: subject, jti: tokenId, sid: sessionId, company_id: companyId, iat = 0, exp = 0 } = payload
  if (kind === undefined || exp - iat > longestSeconds[kind]) {
    throw new Problem('token_invalid')
  }
  if (!isUuid(subject) || !isUuid(tokenId)) throw new Problem('token_invalid')
  return {
    kind,
    subject,
    tokenId,
    sessionId: isUuid(sessionId) ? sessionId : undefined,
    companyId: isUuid(companyId) ? companyId : undefined,
    mode,
  }
}
