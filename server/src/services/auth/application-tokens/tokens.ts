import { limits, modes, type Mode } from '@millseal/contract'
import { errors as joseErrors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { SigningKeys } from '../signing-keys/signing-keys.ts'
import { isWrittenAsOurs } from './token-form.ts'
import { createVerifiedTokens } from '../signing-keys/verified-tokens.ts'

/** RFC 9068: an access token says so in its type, so that no other token of ours can pass for one. */
const type = 'at+jwt'
const algorithm = 'EdDSA'
export const audience = 'millseal'
const maxTokenLength = 4_096
const clockToleranceSeconds = 5

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
  /** Only of a person's token. */
  readonly sessionId?: string
  /** Only of a machine's token. */
  readonly companyId?: string
  readonly mode?: Mode
}

export type TokenToSign = TokenClaims & {
  readonly issuedAtMs: number
  readonly lifetimeSeconds: number
  /** Said to whoever reads the token; never relied upon. */
  readonly shown?: Readonly<Record<string, unknown>>
  /** Signs again with the key of the first time, so that the same claims give the same token. */
  readonly keyId?: string
}

type Dependencies = { readonly keys: SigningKeys; readonly clock: Clock; readonly issuer: () => string }

export type Tokens = {
  sign(token: TokenToSign): Promise<{ readonly token: Secret; readonly keyId: string }>
  /** What a token of ours claims; throws `token_invalid` or `token_expired`. Whether it still holds is for its record to say. */
  verify(token: Secret): Promise<Verified>
}

type Verified = TokenClaims & { readonly payload: JWTPayload }

export const createTokens = (deps: Dependencies): Tokens => {
  const verified = createVerifiedTokens<Verified & { readonly keyId: string; readonly issuer: string }>(deps)
  return {
    sign: (token) => sign(deps, token),
    async verify(token) {
      const known = verified.find(token)
      if (known?.issuer === deps.issuer() && (await deps.keys.verification(known.keyId)) !== undefined)
        return known
      const { claims, keyId } = await verify(deps, token)
      const untilMs = (claims.payload.exp ?? 0) * 1_000
      verified.remember(token, { ...claims, keyId, issuer: deps.issuer() }, untilMs)
      return claims
    },
  }
}

const sign: (deps: Dependencies, token: TokenToSign) => ReturnType<Tokens['sign']> = async (
  { keys, issuer },
  token,
) => {
  const { id, key } = await keys.signing(token.keyId)
  const issuedAt = Math.floor(token.issuedAtMs / 1_000)
  const jwt = await new SignJWT({
    ...token.shown,
    kind: token.kind,
    ...(token.sessionId === undefined ? {} : { sid: token.sessionId }),
    ...(token.companyId === undefined ? {} : { company_id: token.companyId }),
    ...(token.mode === undefined ? {} : { mode: token.mode }),
  })
    .setProtectedHeader({ alg: algorithm, typ: type, kid: id })
    .setIssuer(issuer())
    .setAudience(audience)
    .setSubject(token.subject)
    .setJti(token.tokenId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + token.lifetimeSeconds)
    .sign(key)
  return { token: new Secret(jwt), keyId: id }
}

/** RFC 8725: one algorithm, our own keys only, and every claim that gives a token its meaning is required. */
const verify = async (
  { keys, clock, issuer }: Dependencies,
  token: Secret,
): Promise<{ claims: Verified; keyId: string }> => {
  const compact = token.reveal()
  if (compact.length > maxTokenLength || !isWrittenAsOurs(compact)) throw new Problem('token_invalid')
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
      audience,
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
  const { sub: subject, jti: tokenId, sid: sessionId, company_id: companyId, aud, iat = 0, exp = 0 } = payload
  if (kind === undefined || aud !== audience || exp - iat > longestSeconds[kind]) {
    throw new Problem('token_invalid')
  }
  if (!isUuid(subject) || !isUuid(tokenId)) throw new Problem('token_invalid')
  return {
    kind,
    subject,
    tokenId,
    ...(isUuid(sessionId) ? { sessionId } : {}),
    ...(isUuid(companyId) ? { companyId } : {}),
    ...(mode === undefined ? {} : { mode }),
  }
}

const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
