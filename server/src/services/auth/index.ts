import type { Binding } from '../../http/binding.ts'
import type { Authenticate } from '../../http/gate.ts'
import { inBatches } from '../../lib/in-batches.ts'
import type { JobKind } from '../../ports/jobs/jobs.ts'
import { accessTokenRoutes } from './access-tokens/access-tokens.routes.ts'
import { type Admit, admit } from './admit.ts'
import { createTokens } from './signing-keys/tokens.ts'
import { tokenRoutes } from './application-tokens/tokens.routes.ts'
import { applicationRoutes } from './applications/applications.routes.ts'
import { authenticate } from './authenticate.ts'
import type { AuthDependencies } from './dependencies.ts'
import { type BrowserSignIn, createBrowserSignIn } from './browser-sign-in.ts'
import { findMachineName, type MachineKey } from './machine-name.ts'
import { sessionRoutes } from './sessions/sessions.routes.ts'
import { deleteExpiredSessions, findSessions } from './sessions/sessions.store.ts'
import { rotateSigningKey, signingKeyAgeMs, signingKeyRotation } from './signing-keys/rotate-signing-key.ts'
import { createSigningKeys, type SigningKeys } from './signing-keys/signing-keys.ts'

/** The entry point of auth-service: signing in, and finding the holder of a token. */
export type AuthService = BrowserSignIn & {
  readonly bindings: readonly Binding[]
  readonly authenticate: Authenticate
  /** Authenticates the client of a connection that stays open, and tells when that ends. */
  readonly admit: Admit
  /** The public keys of access tokens (RFC 7517). */
  readonly publishedKeys: SigningKeys['published']
  /** The name that people gave an application or a long-lived token; undefined once it is deleted. */
  findMachineName(machine: MachineKey): Promise<string | undefined>
  /** Rejects if the stored keys cannot be decrypted, so that a server that could sign nobody in does not start. */
  assertKeysOpen(): Promise<void>
}

export type { Admit } from './admit.ts'
export type { ExternalIssuer } from './dependencies.ts'
export { findMachineName } from './machine-name.ts'
export { recordFactor } from './sessions/strength.ts'
export { type Rotation, rotateSigningKey } from './signing-keys/rotate-signing-key.ts'

const expiredSessions: JobKind<object> = {
  name: 'auth-expired-sessions',
  retries: 2,
  backoffSeconds: 60,
  expireSeconds: 300,
}

export const createAuthService = (
  given: Omit<AuthDependencies, 'tokens' | 'findOpenSession'>,
): AuthService => {
  const { database, clock, jobs } = given
  const keys = createSigningKeys(given)
  const deps: AuthDependencies = {
    ...given,
    tokens: createTokens({ keys, clock, issuer: given.publicUrl }),
    findOpenSession: inBatches((ids) => findSessions(database.query, ids, new Date(clock.now()))),
  }
  jobs.handle(expiredSessions, () => deleteExpiredSessions(database.query, new Date(clock.now())))
  jobs.schedule(expiredSessions, '37 * * * *')
  jobs.handle(signingKeyRotation, async () => {
    await rotateSigningKey(deps, { actor: 'schedule', olderThanMs: signingKeyAgeMs })
  })
  jobs.schedule(signingKeyRotation, '7 3 * * *')
  return {
    ...createBrowserSignIn(deps),
    authenticate: (token) => authenticate(deps, token),
    admit: (presented) => admit(deps, presented),
    publishedKeys: keys.published,
    findMachineName: (machine) => findMachineName(database.query, machine),
    assertKeysOpen: async () => {
      await keys.signing()
    },
    bindings: [
      ...applicationRoutes(deps),
      ...accessTokenRoutes(deps),
      ...tokenRoutes(deps),
      ...sessionRoutes(deps),
    ],
  }
}
