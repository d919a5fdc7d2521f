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
import type { UserRoom } from '../user/index.ts'
import { accessTokenHolder } from './access-token-holder.ts'
import { accessTokenRoutes } from './access-tokens.routes.ts'
import { applicationHolder } from './application-holder.ts'
import { applicationRoutes } from './applications.routes.ts'
import { authenticateWith } from './authenticate.ts'
import { type BrowserSignIn, createBrowserSignIn, type ExternalIssuer } from './browser-sign-in.ts'
import { login } from './login.ts'
import { openSession } from './open-session.ts'
import { recordChangeBy } from './record-change.ts'
import { rotateSigningKey, signingKeyAgeMs, signingKeyRotation } from './rotate-signing-key.ts'
import { sessionHolder } from './session-holder.ts'
import { sessionCookies } from './session-cookies.ts'
import { sessionRoutes } from './sessions.routes.ts'
import { deleteExpiredSessions } from './sessions.store.ts'
import { createSigningKeys, type SigningKeys } from './signing-keys.ts'
import { showAutomationConstants } from './show-automation-constants.ts'
import { tokenRoutes } from './tokens.routes.ts'
import { createTokens } from './tokens.ts'

export type AuthRoomDependencies = {
  readonly users: Omit<UserRoom, 'bindings' | 'findStanding'>
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
export type AuthRoom = BrowserSignIn & {
  readonly bindings: readonly Binding[]
  readonly authenticate: Authenticate
  /** The public keys of access tokens, as RFC 7517 writes them. */
  readonly publishedKeys: SigningKeys['published']
  /** Rejects where the secrets at rest cannot be opened: better no start than a house where nobody can sign in. */
  assertKeysOpen(): Promise<void>
}

export type { ExternalIssuer } from './browser-sign-in.ts'
export { type Rotation, rotateSigningKey } from './rotate-signing-key.ts'

const expiredSessions: JobKind<object> = {
  name: 'auth-expired-sessions',
  retries: 2,
  backoffSeconds: 60,
  expireSeconds: 300,
}

export const createAuthRoom = (deps: AuthRoomDependencies): AuthRoom => {
  const keys = createSigningKeys(deps)
  const tokens = createTokens({ keys, clock: deps.clock, issuer: deps.publicUrl })
  const recordChange = recordChangeBy(deps)
  const signIn = login({ users: deps.users, open: openSession({ ...deps, tokens }) })
  deps.jobs.handle(expiredSessions, () =>
    deleteExpiredSessions(deps.database.query, new Date(deps.clock.now())),
  )
  deps.jobs.schedule(expiredSessions, '37 * * * *')
  const holder = sessionHolder(deps)
  const rotate = rotateSigningKey(deps)
  deps.jobs.handle(signingKeyRotation, async () => {
    await rotate({ actor: 'schedule', olderThanMs: signingKeyAgeMs })
  })
  deps.jobs.schedule(signingKeyRotation, '7 3 * * *')
  return {
    ...createBrowserSignIn({ ...deps, holder }),
    authenticate: authenticateWith(tokens, {
      user: holder,
      application: applicationHolder(deps),
      accesstoken: accessTokenHolder(deps),
    }),
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
