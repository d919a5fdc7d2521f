import { createHash, randomBytes } from 'node:crypto'
import { createLocalKeystore } from '../../../adapters/keystore/local.ts'
import { openPostgres } from '../../../adapters/database/postgres.ts'
import { Secret } from '../../../lib/secret.ts'
import type { Database } from '../../../ports/database/database.ts'
import { systemClock } from '../../../ports/clock/clock.ts'
import { ensureSecrets } from './secrets.ts'
import { type Browser, openBrowser, type Page } from '../../../../test/browser.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { password } from '../../../../test/people.ts'
import { silentLog } from '../../../../test/silent-log.ts'

/** A server whose built-in provider a test can call as the console does, with the secret of the client. */
export interface ConsoleClient extends AsyncDisposable {
  readonly server: TestServer
  readonly clientSecret: string
  readonly verifier: string
  openDatabase(): Database
  /** Returns the address of an authorization request. */
  authorizationUrl(changes?: Readonly<Record<string, string | undefined>>): string
  /** Opens a sign-in that the console started, with a request whose verifier the test knows. */
  begin(browser: Browser, changes?: Readonly<Record<string, string>>): Promise<Page>
  /** Signs a person in and returns the callback without opening it. */
  callbackFor(login: string, browser?: Browser): Promise<URL>
  redeem(code: string, changes?: Readonly<Record<string, string>>, secret?: string): Promise<Response>
}

export const atCallback = { stopAt: (url: URL) => url.pathname === '/auth/callback' }

export const openConsoleClient = async (): Promise<ConsoleClient> => {
  const masterKey = randomBytes(32)
  const server = await startOwnServer({ environment: { MILLSEAL_MASTER_KEY: masterKey.toString('base64') } })
  const openDatabase = () =>
    openPostgres({
      connection: server.config.databaseUrl ?? '',
      applicationName: 'test',
      maxConnections: 2,
      log: silentLog,
    })
  await using database = openDatabase()
  const keystore = createLocalKeystore(new Secret(masterKey))
  const secrets = await ensureSecrets({ database, keystore, clock: systemClock })
  const { clientSecret } = secrets.reveal()
  const verifier = randomBytes(32).toString('base64url')
  const redirectUri = `${server.url}/auth/callback`
  const authorizationUrl: ConsoleClient['authorizationUrl'] = (changes = {}) => {
    const parameters: Readonly<Record<string, string | undefined>> = {
      client_id: 'console',
      response_type: 'code',
      scope: 'openid',
      redirect_uri: redirectUri,
      state: 'some-state',
      nonce: 'some-nonce',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...changes,
    }
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) search.set(name, value)
    return `${server.url}/oidc/auth?${search.toString()}`
  }
  const begin: ConsoleClient['begin'] = async (browser, changes = {}) => {
    const sent = await browser.open(`${server.url}/auth/login?again=1`, {
      stopAt: ({ pathname }) => pathname === '/oidc/auth',
    })
    return browser.open(
      authorizationUrl({ state: sent.url.searchParams.get('state') ?? 'missing', ...changes }),
    )
  }
  return {
    server,
    begin,
    clientSecret,
    verifier,
    openDatabase,
    authorizationUrl,
    async callbackFor(login, browser = openBrowser()) {
      return (await browser.submit(await begin(browser), { login, password }, {}, atCallback)).url
    },
    redeem: (code, changes = {}, secret = clientSecret) =>
      fetch(`${server.url}/oidc/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`console:${secret}`).toString('base64')}` },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          code_verifier: verifier,
          ...changes,
        }),
      }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
