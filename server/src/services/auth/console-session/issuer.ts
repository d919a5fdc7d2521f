import { limits } from '@millseal/contract'
import type { Configuration, CustomFetch, IDToken } from 'openid-client'
import type { Logger } from 'pino'
import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import { type BrowserSecret, derive } from './browser-secret.ts'

/** What an issuer says of whoever signed in there. */
export type Vouched = {
  readonly issuer: string
  readonly subject: string
  readonly email: string | undefined
  readonly emailVerified: boolean
  readonly name: string | undefined
  /** When the person last proved who they are; unknown where the issuer does not say. */
  readonly authenticatedAt: Date | undefined
}

export type Issuer = {
  /** Where to send a browser. `again`: even who is signed in there shall prove who they are. */
  signInUrl(browser: BrowserSecret, options: { again: boolean }): Promise<URL>
  /** Redeems the code a browser came back with, and checks state, nonce, issuer, audience, signature and age. */
  redeem(browser: BrowserSecret, callback: URL, options: { again: boolean }): Promise<Vouched>
}

export type IssuerSettings = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Secret | undefined
  readonly scope: string
  /** How it is reached, where that is not by network. */
  readonly fetch?: CustomFetch
}

type Dependencies = {
  readonly settings: () => Promise<IssuerSettings>
  readonly redirectUri: () => string
  readonly log: Pick<Logger, 'warn'>
}

const timeoutSeconds = 10

export const createIssuer = ({ settings, redirectUri, log }: Dependencies): Issuer => {
  const discover = discoverOnce(settings)
  const refuse = refuseBy(log)
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
          ...(again ? { maxAge: limits.recentSignInSeconds } : {}),
        })
        .catch(refuse)
      const claims = tokens.claims()
      if (claims === undefined) throw new Problem('link_invalid')
      const isTold = claims['email'] !== undefined || config.serverMetadata().userinfo_endpoint === undefined
      // An address and whether it is verified are taken from one and the same answer.
      const person = isTold
        ? claims
        : await library.fetchUserInfo(config, tokens.access_token, claims.sub).catch(refuse)
      return vouched(claims, person)
    },
  }
}

const vouched = (
  { iss, sub, auth_time }: IDToken,
  { email, email_verified, preferred_username }: Readonly<Record<string, unknown>>,
): Vouched => ({
  issuer: iss,
  subject: sub,
  email: textOf(email),
  emailVerified: email_verified === true,
  name: textOf(preferred_username),
  authenticatedAt: auth_time === undefined ? undefined : new Date(Math.round(auth_time * 1_000)),
})

const textOf = (claim: unknown): string | undefined => (typeof claim === 'string' ? claim : undefined)

const freshMs = 60 * 60 * 1_000

/** Found out when first needed, and anew every hour: an issuer may move its endpoints. */
const discoverOnce = (settings: Dependencies['settings']): (() => Promise<Configuration>) => {
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
        // The signature too is checked, although the token came over TLS: it says whose token this is.
        execute: [
          library.enableNonRepudiationChecks,
          // Only of this machine: config.ts takes no other.
          ...(isPlain ? [library.allowInsecureRequests] : []),
        ],
        ...(fetch === undefined ? {} : { [library.customFetch]: fetch }),
      },
    )
    .catch((cause: unknown) => {
      throw new Problem('unavailable', { cause })
    })
}

const unreachable = ['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM']

/** Whatever is wrong with an answer, the person is told only to begin again; the log says what, without the answer. */
const refuseBy =
  (log: Dependencies['log']) =>
  (cause: unknown): never => {
    const { code, error, message } = cause as { code?: string; error?: string; message?: string }
    const isUnreachable =
      unreachable.some((known) => known === code) || (cause instanceof TypeError && code === undefined)
    if (isUnreachable) throw new Problem('unavailable', { cause })
    const reason = [code, error, message].map((part) => (part ?? '-').slice(0, 100)).join(' ')
    log.warn({ reason }, 'the answer of an issuer was refused')
    throw new Problem('link_invalid')
  }
