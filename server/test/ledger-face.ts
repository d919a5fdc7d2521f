import type { Mode } from '@millseal/contract'
import { createMetrics } from '../src/http/metrics.ts'
import { createHttpServer } from '../src/http/server.ts'
import { createLog } from '../src/lib/log.ts'
import { Problem } from '../src/lib/problem.ts'
import { systemClock } from '../src/ports/clock/clock.ts'
import type { LedgerFaceSource } from '../src/ports/ledger/ledger-face.ts'
import { mountBigchaindbApi } from '../src/services/km/index.ts'
import { type LedgerInstallation, openLedgerInstallation } from './ledger-installation.ts'

export interface ServedLedger extends AsyncDisposable {
  readonly ledger: LedgerFaceSource
  readonly installation: LedgerInstallation
  readonly origin: string
  /** Of the ledger in test mode, without a slash at its end. */
  readonly url: string
}

/** An embedded ledger and its face on a port, by the server of the product. */
export const serveLedger = async ({
  openModes = ['test'],
  callsPerMinute = 0,
}: {
  readonly openModes?: readonly Mode[]
  readonly callsPerMinute?: number
} = {}): Promise<ServedLedger> => {
  await using opening = new AsyncDisposableStack()
  const installation = opening.use(await openLedgerInstallation())
  const ledger = opening.use(installation.open())
  await ledger.start()
  let origin = ''
  const { server } = await createHttpServer({
    bindings: [],
    authenticate: async () => {
      throw new Problem('token_invalid')
    },
    findStanding: async () => undefined,
    database: installation.database,
    clock: systemClock,
    log: createLog('silent'),
    metrics: createMetrics(),
    settings: {
      services: [],
      callsPerMinute,
      certificateBytes: 1_024,
      trustProxy: [],
      connectionsPerAddress: 1_000,
      isSecure: false,
      operatorsNeedMfa: true,
    },
    draining: () => false,
  })
  mountBigchaindbApi(server, { ledger: () => ledger, openModes, publicUrl: () => origin })
  opening.defer(() => server.close())
  origin = await server.listen({ port: 0, host: '127.0.0.1' })
  const opened = opening.move()
  return {
    ledger,
    installation,
    origin,
    url: `${origin}/ledger/test`,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
