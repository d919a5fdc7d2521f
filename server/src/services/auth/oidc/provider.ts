import { acrs } from '@millseal/contract'
import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Secret } from '../../../lib/secret.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { problemPage } from '../pages/sign-in-pages.ts'
import { adapterFactory } from './adapter.ts'
import { endWithSignIn, startWithoutSession } from './no-single-sign-on.ts'
import type { ProviderSecrets } from './secrets.ts'

export const consoleClientId = 'console'
export const issuerOf = (publicUrl: string): string => `${publicUrl}/oidc`
export const callbackOf = (publicUrl: string): string => `${publicUrl}/auth/callback`

/** Long enough to type a password and a code, too short to be useful to someone who finds the link later. */
const interactionSeconds = 10 * 60
const codeSeconds = 60
const tokenSeconds = 5 * 60

const ttl = {
  Interaction: interactionSeconds,
  Session: interactionSeconds,
  Grant: interactionSeconds,
  AuthorizationCode: codeSeconds,
  AccessToken: tokenSeconds,
  IdToken: tokenSeconds,
}

type Given = { readonly publicUrl: string; readonly secrets: Secret<ProviderSecrets> }

/** Creates an OpenID provider with one client, the console, and one flow: code with PKCE. Loads the library. */
export const createProvider = async (deps: AuthDependencies, given: Given): Promise<Provider> => {
  const library = await import('oidc-provider')
  const adapter = adapterFactory(
    deps,
    () => new library.errors.InvalidGrant('authorization code already consumed'),
  )
  const provider = new library.Provider(issuerOf(given.publicUrl), {
    ...configuration(deps, given),
    adapter,
  })
  pinToIssuer(provider)
  provider.use(startWithoutSession(provider))
  provider.use(endWithSignIn(provider, callbackOf(given.publicUrl)))
  provider.on('server_error', (_ctx, err) => deps.log.error({ err }, 'the OpenID provider failed'))
  const plain: NodeJS.EventEmitter = provider
  plain.on('error', (err) => deps.log.warn({ reason: String(err) }, 'the OpenID provider could not answer'))
  return provider
}

/** Derives address and cookie security from the public address, never from a header of the request. */
const pinToIssuer = (provider: Provider): void => {
  const { protocol, host, href } = new URL(provider.issuer)
  Object.defineProperties(provider.request, {
    protocol: { get: () => protocol.slice(0, -1) },
    host: { get: () => host },
    href: { get: () => href },
  })
}

const configuration = (deps: AuthDependencies, { publicUrl, secrets }: Given): Configuration => {
  const { cookieKey, signingJwk, clientSecret } = secrets.reveal()
  const isSecure = publicUrl.startsWith('https:')
  const cookies = { signed: true, httpOnly: true, sameSite: 'lax', secure: isSecure } as const
  return {
    clients: [
      {
        client_id: consoleClientId,
        client_name: 'Millseal console',
        client_secret: clientSecret,
        redirect_uris: [callbackOf(publicUrl)],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
        id_token_signed_response_alg: 'EdDSA',
        require_auth_time: true,
      },
    ],
    clientAuthMethods: ['client_secret_basic'],
    responseTypes: ['code'],
    scopes: ['openid'],
    acrValues: acrs,
    claims: { openid: ['sub', 'acr', 'amr'] },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    jwks: { keys: [signingJwk] },
    cookies: {
      keys: [cookieKey],
      names: cookieNames(isSecure),
      long: { ...cookies, path: '/' },
      short: cookies,
    },
    ttl,
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      dPoP: { enabled: false },
    },
    interactions: { url: (_ctx, { uid }) => `/oidc/interaction/${uid}` },
    loadExistingGrant: grantToConsole,
    findAccount: async (_ctx, id) => {
      const user = await deps.users.findSigner(id)
      return user?.status === 'active' ? { accountId: id, claims: () => ({ sub: id }) } : undefined
    },
    clientBasedCORS: () => false,
    renderError: (ctx) => {
      ctx.type = 'html'
      ctx.body = problemPage(ctx.req, `${publicUrl}/auth/login`)
    },
  }
}

const cookieNames = (isSecure: boolean) => ({
  session: `${isSecure ? '__Host-' : ''}millseal-oidc`,
  interaction: `${isSecure ? '__Secure-' : ''}millseal-oidc-interaction`,
  resume: `${isSecure ? '__Secure-' : ''}millseal-oidc-resume`,
})

/** The console is part of this server and learns only who signed in, so consent is asked for only if it requests that. */
const grantToConsole = async (ctx: KoaContextWithOIDC) => {
  const { provider, client, session, account, result } = ctx.oidc
  if (client?.clientId !== consoleClientId || account === undefined) return undefined
  const id = result?.consent?.grantId ?? session?.grantIdFor(client.clientId)
  const existing = id === undefined ? undefined : await provider.Grant.find(id)
  if (existing !== undefined) return existing
  const grant = new provider.Grant({ clientId: client.clientId, accountId: account.accountId })
  grant.addOIDCScope('openid')
  await grant.save()
  return grant
}
