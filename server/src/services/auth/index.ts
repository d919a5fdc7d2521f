import { operations } from '@millseal/contract'
import type { Logger } from 'pino'
import { type Binding, bind } from '../../http/binding.ts'
import type { Authenticate } from '../../http/gate.ts'
import { Problem } from '../../lib/problem.ts'
import { Secret } from '../../lib/secret.ts'
import type { Audit } from '../../ports/audit/audit.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { Database } from '../../ports/database/database.ts'
import type { JobKind, JobRunner } from '../../ports/jobs/jobs.ts'
import type { Keystore } from '../../ports/keystore/keystore.ts'
import type { Outbox } from '../../ports/outbox/outbox.ts'
import type { UserService } from '../user/index.ts'
import { type Admit, admitWith } from './admit.ts'
import { accessTokenHolder } from './access-tokens/access-token-holder.ts'
import { accessTokenRoutes } from './access-tokens/access-tokens.routes.ts'
import { applicationHolder } from './applications/application-holder.ts'
import { applicationRoutes } from './applications/applications.routes.ts'
import { authenticateWith, holderByKind } from './authenticate.ts'
import { type BrowserSignIn, createBrowserSignIn, type ExternalIssuer } from './sessions/browser-sign-in.ts'
import { login } from './sessions/login.ts'
import { openSession } from './sessions/open-session.ts'
import { recordChangeBy } from './applications/record-change.ts'
import { rotateSigningKey, signingKeyAgeMs, signingKeyRotation } from './signing-keys/rotate-signing-key.ts'
import { sessionHolder } from './sessions/session-holder.ts'
import { sessionCookies } from './sessions/session-cookies.ts'
import { sessionRoutes } from './sessions/sessions.routes.ts'
import { deleteExpiredSessions } from './sessions/sessions.store.ts'
import { createSigningKeys, type SigningKeys } from './signing-keys/signing-keys.ts'
import { showAutomationConstants } from './sessions/show-automation-constants.ts'
import { tokenRoutes } from './application-tokens/tokens.routes.ts'
import { createTokens } from './application-tokens/tokens.ts'

export type AuthDependencies = {
  readonly users: Omit<UserService, 'bindings' | 'findStanding'>
  readonly database: Database
  readonly jobs: JobRunner
  readonly keystore: Keystore
  readonly clock: Clock
  readonly publicUrl: () => string
  readonly outbox: Outbox
  readonly audit: Audit
  readonly log: Pick<Logger, 'error' | 'warn'>
  /** None: people sign in with the built-in provider. */
  readonly externalIssuer: ExternalIssuer | undefined
}

/** The door of auth-service: signing in, and knowing a token's holder. */
export type AuthService = BrowserSignIn & {
  readonly bindings: readonly Binding[]
  readonly authenticate: Authenticate
  /** The same for who stays connected: until when, and whether they still may. */
  readonly admit: Admit
  /** The public keys of access tokens, as RFC 7517 writes them. */
  readonly publishedKeys: SigningKeys['published']
  /** Rejects where the secrets at rest cannot be opened: better no start than a server where nobody can sign in. */
  assertKeysOpen(): Promise<void>
}

export type { Admit } from './admit.ts'
export type { ExternalIssuer } from './sessions/browser-sign-in.ts'
export { type Rotation, rotateSigningKey } from './signing-keys/rotate-signing-key.ts'

const expiredSessions: JobKind<object> = {
  name: 'auth-expired-sessions',
  retries: 2,
  backoffSeconds: 60,
  expireSeconds: 300,
}

export const createAuthService = (deps: AuthDependencies): AuthService => {
  const keys = createSigningKeys(deps)
  const tokens = createTokens({ keys, clock: deps.clock, issuer: deps.publicUrl })
  const recordChange = recordChangeBy(deps)
  const signIn = login({ users: deps.users, open: openSession({ ...deps, tokens }) })
  deps.jobs.handle(expiredSessions, () =>
    deleteExpiredSessions(deps.database.query, new Date(deps.clock.now())),
  )
  deps.jobs.schedule(expiredSessions, '37 * * * *')
  const holder = sessionHolder(deps)
  const findHolder = holderByKind({
    user: holder,
    application: applicationHolder(deps),
    accesstoken: accessTokenHolder(deps),
  })
  const rotate = rotateSigningKey(deps)
  deps.jobs.handle(signingKeyRotation, async () => {
    await rotate({ actor: 'schedule', olderThanMs: signingKeyAgeMs })
  })
  deps.jobs.schedule(signingKeyRotation, '7 3 * * *')
  return {
    ...createBrowserSignIn({ ...deps, holder }),
    authenticate: authenticateWith(tokens, findHolder),
    admit: admitWith({ ...deps, tokens, findHolder }),
    publishedKeys: keys.published,
    assertKeysOpen: async () => {
      await keys.signing()
    },
    bindings: [
      ...applicationRoutes({ ...deps, recordChange }),
      ...accessTokenRoutes({ ...deps, tokens, recordChange }),
      ...tokenRoutes({ ...deps, tokens }),
      ...sessionRoutes({ ...deps, tokens }),
      bind(operations.readAutomationConstants, showAutomationConstants({ ...deps, tokens })),
      bind(operations.login, async ({ body, client, header }) => {
        const name = body.username ?? body.email
        if (name === undefined) {
          throw new Problem('validation_failed', { details: ['/username or /email is required'] })
        }
        const { userId, accessToken, refreshToken } = await signIn(
          {
            login: name,
            password: new Secret(body.password),
            ipAddress: client.ip,
            ...(body.code === undefined ? {} : { code: new Secret(body.code) }),
          },
          client,
        )
        header('set-cookie', sessionCookies({ accessToken, refreshToken, publicUrl: deps.publicUrl() }))
        return { userId, accessToken: accessToken.reveal(), refreshToken: refreshToken.reveal() }
      }),
    ],
  }
}
