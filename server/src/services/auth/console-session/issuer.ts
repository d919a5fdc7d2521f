import { limits } from '@millseal/contract'
import type { Configuration, CustomFetch, IDToken } from 'openid-client'
import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { type BrowserSecret, derive } from '../sessions/browser-secret.ts'

/** What an issuer says about the person who signed in there. */
export type IssuerClaims = {
  readonly issuer: string
  readonly subject: string
  readonly email: string | undefined
  readonly emailVerified: boolean
  readonly name: string | undefined
  /** When the person last proved who they are. Undefined if the issuer does not say. */
  readonly authenticatedAt: Date | undefined
  /** How, in words of RFC 8176. */
  readonly methods: readonly string[]
}

export type Issuer = {
  /** The address to send the browser to. `again`: the person must sign in even if the issuer has a session. */
  signInUrl(browser: BrowserSecret, options: { again: boolean }): Promise<URL>
  /** Redeems the code in a callback. Checks state, nonce, issuer, audience, signature and age. */
  redeem(browser: BrowserSecret, callback: URL, options: { again: boolean }): Promise<IssuerClaims>
}

export type IssuerSettings = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Secret | undefined
  readonly scope: string
  /** Replaces the network, for the provider in this process. */
  readonly fetch?: CustomFetch
}

type Settings = () => Promise<IssuerSettings>

const timeoutSeconds = 10

export const createIssuer = (
  { log }: AuthDependencies,
  settings: Settings,
  redirectUri: () => string,
): Issuer => {
  const discover = discoverOnce(settings)
  const refuse = (cause: unknown) => refuseAnswer(log, cause)
  return {
    async signInUrl(browser, { again }) {
      const library = await import('openid-client')
      const config = await discover()
      const { scope } = await settings()
      return library.buildAuthorizationUrl(config, {
        response_type: 'code',
        redirect_uri: redirectUri(),
        scope,
        state: derive(browser, 'state'),
        nonce: derive(browser, 'nonce'),
        code_challenge: await library.calculatePKCECodeChallenge(derive(browser, 'verifier')),
        code_challenge_method: 'S256',
        ...(again ? { prompt: 'login', max_age: String(limits.recentSignInSeconds) } : {}),
      })
    },
    async redeem(browser, callback, { again }) {
      const library = await import('openid-client')
      const config = await discover()
      const tokens = await library
        .authorizationCodeGrant(config, callback, {
          expectedState: derive(browser, 'state'),
          expectedNonce: derive(browser, 'nonce'),
          pkceCodeVerifier: derive(browser, 'verifier'),
          idTokenExpected: true,
          maxAge: again ? limits.recentSignInSeconds : undefined,
        })
        .catch(refuse)
      const claims = tokens.claims()
      if (claims === undefined) throw new Problem('link_invalid')
      const hasEmail =
        claims['email'] !== undefined || config.serverMetadata().userinfo_endpoint === undefined
      // The address and whether it is verified must come from the same answer.
      const person = hasEmail
        ? claims
        : await library.fetchUserInfo(config, tokens.access_token, claims.sub).catch(refuse)
      return issuerClaims(claims, person)
    },
  }
}

const issuerClaims = (
  { iss, sub, auth_time, amr }: IDToken,
  { email, email_verified, preferred_username }: Readonly<Record<string, unknown>>,
): IssuerClaims => ({
  issuer: iss,
  subject: sub,
  email: textOf(email),
  emailVerified: email_verified === true,
  name: textOf(preferred_username),
  authenticatedAt: auth_time === undefined ? undefined : new Date(Math.round(auth_time * 1_000)),
  methods: methodsIn(amr),
})

const textOf = (claim: unknown): string | undefined => (typeof claim === 'string' ? claim : undefined)

const maxMethods = 10

const methodsIn = (amr: unknown): readonly string[] =>
  Array.isArray(amr)
    ? amr.filter((one) => typeof one === 'string' && /^[\w.:-]{1,32}$/.test(one)).slice(0, maxMethods)
    : []

const freshMs = 60 * 60 * 1_000

/** Discovers the issuer at the first sign-in and again every hour, because an issuer may move its endpoints. */
const discoverOnce = (settings: Settings): (() => Promise<Configuration>) => {
  let known: { readonly config: Promise<Configuration>; readonly until: number } | undefined
  return () => {
    if (known === undefined || known.until < performance.now()) {
      const config = settings().then(discover)
      config.catch(() => {
        known = undefined
      })
      known = { config, until: performance.now() + freshMs }
    }
    return known.config
  }
}

const discover = async ({
  issuer,
  clientId,
  clientSecret,
  fetch,
}: IssuerSettings): Promise<Configuration> => {
  const library = await import('openid-client')
  const isPlain = issuer.startsWith('http:')
  return library
    .discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret === undefined ? library.None() : library.ClientSecretBasic(clientSecret.reveal()),
      {
        timeout: timeoutSeconds,
        // Checks the signature of the ID token, although the token came over TLS.
        execute: [
          library.enableNonRepudiationChecks,
          // Only for an issuer on this machine: config.ts accepts no other.
          ...(isPlain ? [library.allowInsecureRequests] : []),
        ],
        [library.customFetch]: fetch,
      },
    )
    .catch((cause: unknown) => {
      throw new Problem('unavailable', { cause })
    })
}

const unreachable = ['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM']

/** Tells the person only to sign in again. The log gets the reason, without the answer. */
const refuseAnswer = (log: AuthDependencies['log'], cause: unknown): never => {
  const { code, error, message } = cause as { code?: string; error?: string; message?: string }
  const isUnreachable =
    unreachable.some((known) => known === code) || (cause instanceof TypeError && code === undefined)
  if (isUnreachable) throw new Problem('unavailable', { cause })
  const reason = [code, error, message].map((part) => (part ?? '-').slice(0, 100)).join(' ')
  log.warn({ reason }, 'the answer of an issuer was refused')
  throw new Problem('link_invalid')
}
