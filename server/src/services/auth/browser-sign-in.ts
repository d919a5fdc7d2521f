import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { AuthenticateBrowser } from '../../http/gate.ts'
import { Secret } from '../../lib/secret.ts'
import type { JobKind } from '../../ports/jobs/jobs.ts'
import { authenticateBrowser } from './console-session/authenticate-browser.ts'
import { deleteExpiredConsoleSessions } from './console-session/console-sessions.store.ts'
import { sessionCookie } from './sessions/cookies.ts'
import { createIssuer, type IssuerSettings } from './console-session/issuer.ts'
import { mountCodePage } from './console-session/mount-code-page.ts'
import { mountConsoleSession } from './console-session/mount.ts'
import { deleteExpiredSignIns } from './console-session/sign-ins.store.ts'
import type { AuthDependencies } from './dependencies.ts'
import { inProcess } from './oidc/in-process.ts'
import { mountProvider } from './oidc/mount.ts'
import { callbackOf, consoleClientId, issuerOf } from './oidc/provider.ts'
import { deleteExpiredRecords } from './oidc/records.store.ts'

export type BrowserSignIn = {
  readonly authenticateBrowser: AuthenticateBrowser
  /** Whether a browser has the session cookie; the session may have ended. */
  readonly hasSession: (headers: IncomingHttpHeaders) => boolean
  /** Adds the pages and addresses for signing in. */
  mount(server: FastifyInstance): void
}

const expired: JobKind<object> = {
  name: 'auth-expired-sign-ins',
  retries: 2,
  backoffSeconds: 60,
  expireSeconds: 300,
}

export const createBrowserSignIn = (deps: AuthDependencies): BrowserSignIn => {
  const { database, clock, jobs, publicUrl, externalIssuer } = deps
  jobs.handle(expired, async () => {
    const now = new Date(clock.now())
    await deleteExpiredRecords(database.query, now)
    await deleteExpiredSignIns(database.query, now)
    await deleteExpiredConsoleSessions(database.query, now)
  })
  jobs.schedule(expired, '*/15 * * * *')
  return {
    authenticateBrowser: (request) => authenticateBrowser(deps, request),
    hasSession: ({ cookie }) => sessionCookie(publicUrl()).read(cookie) !== undefined,
    mount(server) {
      const settings: () => Promise<IssuerSettings> =
        externalIssuer === undefined
          ? mountBuiltIn(server, deps)
          : async () => ({ ...externalIssuer, scope: 'openid email profile' })
      const issuer = createIssuer(deps, settings, () => callbackOf(publicUrl()))
      mountConsoleSession(server, deps, issuer)
      if (externalIssuer !== undefined) mountCodePage(server, deps)
    },
  }
}

const mountBuiltIn = (server: FastifyInstance, deps: AuthDependencies): (() => Promise<IssuerSettings>) => {
  const open = mountProvider(server, deps)
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
