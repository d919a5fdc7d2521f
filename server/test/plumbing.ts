import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import type { Binding } from '../src/http/binding.ts'
import { createMetrics } from '../src/http/metrics.ts'
import type { HttpSettings } from '../src/http/dependencies.ts'
import { createHttpServer } from '../src/http/server.ts'
import { Problem } from '../src/lib/problem.ts'
import { limits, services } from '@millseal/contract'
import { openTestDatabase } from './database.ts'
import { movableClock } from './movable-clock.ts'
import { samplePerson } from './sample-principals.ts'

export interface Plumbing extends AsyncDisposable {
  readonly url: string
  /** Accepted as the token of a person. */
  readonly token: string
}

/** The HTTP server without services, with the handlers and pages that a test gives it. */
export const openPlumbing = async (
  bindings: readonly Binding[],
  { draining = () => false, ...settings }: Partial<HttpSettings> & { readonly draining?: () => boolean } = {},
  mount: (server: FastifyInstance) => void = () => {},
): Promise<Plumbing> => {
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await openTestDatabase())
  const token = 'the-token-of-somebody'
  const { server } = await createHttpServer({
    bindings,
    authenticate: async (given) => {
      if (given.reveal() !== token) throw new Problem('token_invalid')
      return samplePerson()
    },
    findStanding: async () => ({ verified: true, role: 'admin' }),
    database,
    clock: movableClock(),
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
    settings: {
      services,
      callsPerMinute: 0,
      certificateBytes: limits.body.certificateBytes,
      trustProxy: [],
      connectionsPerAddress: 1_000,
      isSecure: false,
      operatorsNeedMfa: true,
      ...settings,
    },
    draining,
  })
  mount(server)
  opened.defer(() => server.close())
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  const stack = opened.move()
  return { url, token, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
