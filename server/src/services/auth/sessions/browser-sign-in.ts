import type { FastifyInstance } from 'fastify'
import type { AuthenticateBrowser } from '../../../http/gate.ts'
import { Secret } from '../../../lib/secret.ts'
import type { Audit } from '../../../ports/audit/audit.ts'
import type { JobKind, JobRunner } from '../../../ports/jobs/jobs.ts'
import type { UserService } from '../../user/index.ts'
import type { FindHolder } from '../authenticate.ts'
import { authenticateBrowser } from '../console-session/authenticate-browser.ts'
import { isStateOf } from '../console-session/browser-secret.ts'
import { deleteExpiredConsoleSessions } from '../console-session/console-sessions.store.ts'
import { signInCookie } from '../console-session/cookies.ts'
import { finishSignIn } from '../console-session/finish-sign-in.ts'
import { createIssuer, type IssuerSettings } from '../console-session/issuer.ts'
import { mountConsoleSession } from '../console-session/mount.ts'
import { mountCodePage } from '../console-session/mount-code-page.ts'
import { deleteExpiredSignIns } from '../console-session/sign-ins.store.ts'
import { startSignIn } from '../console-session/start-sign-in.ts'
import { inProcess } from '../oidc/in-process.ts'
import { type BuiltInIssuerDependencies, mountProvider } from '../oidc/mount.ts'
import { callbackOf, consoleClientId, issuerOf } from '../oidc/provider.ts'
import { deleteExpiredRecords } from '../oidc/records.store.ts'

/** Who signs people in instead of the built-in provider. */
export type ExternalIssuer = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Secret | undefined
}

type Dependencies = Omit<BuiltInIssuerDependencies, 'isBegunBy'> & {
  readonly users: BuiltInIssuerDependencies['users'] &
    Pick<UserService, 'lockCredentials' | 'findOrCreateByIssuer'>
  readonly audit: Audit
  readonly jobs: JobRunner
  readonly holder: FindHolder
  readonly externalIssuer: ExternalIssuer | undefined
}

export type BrowserSignIn = {
  readonly authenticateBrowser: AuthenticateBrowser
  /** Adds the pages and addresses of signing in. */
  mount(server: FastifyInstance): void
}

const expired: JobKind<object> = {
  name: 'auth-expired-sign-ins',
  retries: 2,
  backoffSeconds: 60,
  expireSeconds: 300,
}

export const createBrowserSignIn = (deps: Dependencies): BrowserSignIn => {
  const { database, clock, jobs, publicUrl, externalIssuer } = deps
  jobs.handle(expired, async () => {
    const now = new Date(clock.now())
    await deleteExpiredRecords(database.query, now)
    await deleteExpiredSignIns(database.query, now)
    await deleteExpiredConsoleSessions(database.query, now)
  })
  jobs.schedule(expired, '*/15 * * * *')
  return {
    authenticateBrowser: authenticateBrowser(deps),
    mount(server) {
      const settings = externalIssuer === undefined ? builtIn(server, deps) : external(externalIssuer)
      const issuer = createIssuer({ settings, redirectUri: () => callbackOf(publicUrl()), log: deps.log })
      const isBuiltIn = externalIssuer === undefined
      const finish = finishSignIn({ ...deps, issuer, isBuiltIn })
      const addresses = { finish, publicUrl, codeAddress: '/auth/code' }
      mountConsoleSession(server, { ...addresses, start: startSignIn({ ...deps, issuer }) })
      if (!isBuiltIn) mountCodePage(server, addresses)
    },
  }
}

const builtIn = (server: FastifyInstance, deps: Dependencies): (() => Promise<IssuerSettings>) => {
  const open = mountProvider(server, {
    ...deps,
    isBegunBy: ({ headers }, state) => {
      const browser = signInCookie(deps.publicUrl()).read(headers.cookie)
      return browser !== undefined && isStateOf(browser, state)
    },
  })
  const fetch = inProcess(server)
  return async () => {
    const { clientSecret } = (await open()).secrets.reveal()
    return {
      issuer: issuerOf(deps.publicUrl()),
      clientId: consoleClientId,
      clientSecret: new Secret(clientSecret),
      scope: 'openid',
      fetch,
    }
  }
}

const external = (issuer: ExternalIssuer) => async (): Promise<IssuerSettings> => ({
  ...issuer,
  scope: 'openid email profile',
})
