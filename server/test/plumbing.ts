import { pino } from 'pino'
import type { Binding } from '../src/http/binding.ts'
import { createMetrics } from '../src/http/metrics.ts'
import type { Principal } from '../src/http/principal.ts'
import type { HttpSettings } from '../src/http/dependencies.ts'
import { createHttpServer } from '../src/http/server.ts'
import { Problem } from '../src/lib/problem.ts'
import { services } from '@millseal/contract'
import { openTestDatabase } from './database.ts'
import { movableClock } from './movable-clock.ts'

const somebody: Principal = {
  kind: 'user',
  id: '0198c0de-0000-7000-8000-000000000001',
  username: 'somebody',
  email: 'somebody@example.com',
  role: 'USER',
  sessionId: '0198c0de-0000-7000-8000-000000000002',
  tokenId: '0198c0de-0000-7000-8000-000000000003',
  sessionStartedAtMs: 0,
  signedInAtMs: 0,
  hasMfa: true,
}

export interface Plumbing extends AsyncDisposable {
  readonly url: string
  /** Accepted as the token of `somebody`. */
  readonly token: string
}

/** The HTTP server alone, with the handlers a test brings, so that the plumbing can be seen without any room. */
export const openPlumbing = async (
  bindings: readonly Binding[],
  settings: Partial<HttpSettings> = {},
): Promise<Plumbing> => {
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await openTestDatabase())
  const token = 'the-token-of-somebody'
  const { server } = await createHttpServer({
    bindings,
    authenticate: async (given) => {
      if (given.reveal() !== token) throw new Problem('token_invalid')
      return somebody
    },
    findStanding: async (companyId) => ({ companyId, verified: true, role: 'admin' }),
    database,
    clock: movableClock(),
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
    settings: { services, callsPerMinute: 0, trustProxy: [], isSecure: false, ...settings },
    draining: () => false,
  })
  opened.defer(() => server.close())
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  const stack = opened.move()
  return { url, token, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
