import { limits, modes, type Mode } from '@millseal/contract'
import { errors as joseErrors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { Problem } from '../../lib/problem.ts'
import { Secret } from '../../lib/secret.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { SigningKeys } from './signing-keys.ts'

/** RFC 9068: an access token says so in its type, so that no other token of ours can pass for one. */
const type = 'at+jwt'
const algorithm = 'EdDSA'
export const audience = 'millseal'
const maxTokenLength = 4_096
const clockToleranceSeconds = 5

const tokenKinds = ['user', 'application', 'accesstoken'] as const
export type TokenKind = (typeof tokenKinds)[number]

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
  verify(token: Secret): Promise<TokenClaims & { readonly payload: JWTPayload }>
}

export const createTokens = (deps: Dependencies): Tokens => ({
  sign: (token) => sign(deps, token),
  verify: (token) => verify(deps, token),
})

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
const verify: (deps: Dependencies, token: Secret) => ReturnType<Tokens['verify']> = async (
  { keys, clock, issuer },
  token,
) => {
  const compact = token.reveal()
  if (compact.length > maxTokenLength) throw new Problem('token_invalid')
  const { payload } = await jwtVerify(
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
  return { ...toClaims(payload), payload }
}

const toClaims = (payload: JWTPayload): TokenClaims => {
  const kind = tokenKinds.find((known) => known === payload['kind'])
  const mode = modes.find((known) => known === payload['mode'])
  const { sub: subject, jti: tokenId, sid: sessionId, company_id: companyId } = payload
  if (kind === undefined || subject === undefined || tokenId === undefined) throw new Problem('token_invalid')
  return {
    kind,
    subject,
    tokenId,
    ...(typeof sessionId === 'string' ? { sessionId } : {}),
    ...(typeof companyId === 'string' ? { companyId } : {}),
    ...(mode === undefined ? {} : { mode }),
  }
}
