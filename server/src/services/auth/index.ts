import { operations } from '@millseal/contract'
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
import { authenticateWith } from './authenticate.ts'
import { login } from './login.ts'
import { sessionHolder } from './session-holder.ts'
import { sessionCookies } from './session-cookies.ts'
import { deleteExpiredSessions } from './sessions.store.ts'
import { createSigningKeys } from './signing-keys.ts'
import { createTokens } from './tokens.ts'

export type AuthRoomDependencies = {
  readonly users: Pick<UserRoom, 'signIn' | 'findSigner' | 'notify'>
  readonly database: Database
  readonly jobs: JobRunner
  readonly keystore: Keystore
  readonly clock: Clock
  readonly publicUrl: () => string
  readonly outbox: Outbox
  readonly audit: Audit
}

/** The door of auth-service: signing in, and knowing a token's holder. */
export type AuthRoom = { readonly bindings: readonly Binding[]; readonly authenticate: Authenticate }

const expiredSessions: JobKind<object> = {
  name: 'auth-expired-sessions',
  retries: 2,
  backoffSeconds: 60,
  expireSeconds: 300,
}

export const createAuthRoom = (deps: AuthRoomDependencies): AuthRoom => {
  const tokens = createTokens({ keys: createSigningKeys(deps), clock: deps.clock, issuer: deps.publicUrl })
  const signIn = login({ ...deps, tokens })
  deps.jobs.handle(expiredSessions, () =>
    deleteExpiredSessions(deps.database.query, new Date(deps.clock.now())),
  )
  deps.jobs.schedule(expiredSessions, '37 * * * *')
  return {
    authenticate: authenticateWith(tokens, { user: sessionHolder(deps) }),
    bindings: [
      bind(operations.login, async ({ body, client, header }) => {
        const name = body.username ?? body.email
        if (name === undefined) {
          throw new Problem('validation_failed', { details: ['/username or /email is required'] })
        }
        const { userId, accessToken, refreshToken } = await signIn(
          { login: name, password: new Secret(body.password) },
          client,
        )
        header('set-cookie', sessionCookies({ accessToken, refreshToken, publicUrl: deps.publicUrl() }))
        return { userId, accessToken: accessToken.reveal(), refreshToken: refreshToken.reveal() }
      }),
    ],
  }
}
