import { limits, type Role, roles } from '@millseal/contract'
import { errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import type { UserPrincipal } from '../../http/principal.ts'
import { Problem } from '../../lib/problem.ts'
import { Secret } from '../../lib/secret.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { SigningKeys } from './signing-keys.ts'

/** RFC 9068: an access token says so in its type, so that no other token of ours can pass for one. */
const type = 'at+jwt'
const audience = 'millseal'
const algorithm = 'EdDSA'
const maxTokenLength = 4_096
const clockToleranceSeconds = 5

type Dependencies = { readonly keys: SigningKeys; readonly clock: Clock; readonly issuer: () => string }

export type TokenUser = {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly role: Role
}

export const signUserToken =
  ({ keys, clock, issuer }: Dependencies) =>
  async (user: TokenUser, tokenId: string): Promise<Secret> => {
    const { id, key } = await keys.current()
    const nowSeconds = Math.floor(clock.now() / 1_000)
    const token = await new SignJWT({
      user: { id: user.id, username: user.username, email: user.email },
      role: user.role,
    })
      .setProtectedHeader({ alg: algorithm, typ: type, kid: id })
      .setIssuer(issuer())
      .setAudience(audience)
      .setSubject(user.id)
      .setJti(tokenId)
      .setIssuedAt(nowSeconds)
      .setExpirationTime(nowSeconds + limits.sessionAccessTokenSeconds)
      .sign(key)
    return new Secret(token)
  }

/** RFC 8725: one algorithm, our own keys only, and every claim that gives a token its meaning is required. */
export const verifyAccessToken =
  ({ keys, clock, issuer }: Dependencies) =>
  async (token: Secret): Promise<UserPrincipal> => {
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
        requiredClaims: ['sub', 'jti', 'iat', 'exp', 'role'],
        maxTokenAge: limits.longLivedToken.maxSeconds,
        clockTolerance: clockToleranceSeconds,
        currentDate: new Date(clock.now()),
      },
    ).catch((error: unknown) => {
      if (error instanceof joseErrors.JWTExpired) throw new Problem('token_expired', { cause: error })
      if (error instanceof joseErrors.JOSEError) throw new Problem('token_invalid', { cause: error })
      throw error
    })
    const role = roles.find((known) => known === payload['role'])
    if (payload.sub === undefined || payload.jti === undefined || role === undefined)
      throw new Problem('token_invalid')
    return { kind: 'user', id: payload.sub, role, tokenId: payload.jti }
  }
