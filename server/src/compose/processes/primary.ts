import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { migrate } from '../../adapters/database/migrate.ts'
import type { Config } from '../../config.ts'
import { createLog } from '../../lib/log.ts'
import { openDatabase } from '../database.ts'
import { openFilesOf } from '../files.ts'
import type { Begin } from './messages.ts'
import { Supervisor } from './supervisor.ts'

export type Primary = {
  readonly log: Logger
  /** Resolves when one process is ready; with another exit code than 0 if it could not start. It has said why. */
  start(): Promise<number>
  stop(): Promise<void>
}

/** Owns the database and the port, and runs the processes that do the work. It answers no requests itself. */
export const openPrimary = async (
  config: Config,
  { count, onFatal }: { readonly count: number; readonly onFatal: (error: Error) => void },
): Promise<Primary> => {
  const log = createLog(config.logLevel)
  await using opened = new AsyncDisposableStack()
  const relayFolder = await mkdtemp(join(tmpdir(), 'millseal-'))
  opened.defer(() => rm(relayFolder, { recursive: true, force: true }))
  await chmod(relayFolder, 0o700)
  const database = opened.use(await openDatabase(config, log, onFatal))
  await migrate({ connection: database.connection, log })
  await openFilesOf(config, database)
  const ports = await choosePorts(config)
  const begin = (number: number, isFirst: boolean): Begin => ({
    kind: 'begin',
    number,
    count,
    isFirst,
    elapsedMs: performance.now(),
    ports,
    relayPath: join(relayFolder, 'mqtt'),
  })
  const supervisor = new Supervisor({ count, begin, log, onGivenUp: onFatal })
  const stack = opened.move()
  return {
    log,
    async start() {
      const code = await supervisor.startFirst()
      if (code === 0) supervisor.startOthers()
      return code
    },
    async stop() {
      await supervisor.stop()
      await stack.disposeAsync()
    },
  }
}

/** Every process has the same ports, also one that replaces another. */
const choosePorts = async ({ host, port, mqttPort, mqttsPort }: Config): Promise<Begin['ports']> => ({
  port: port === 0 ? await freePort(host) : port,
  mqttPort: mqttPort === 0 ? await freePort('127.0.0.1') : mqttPort,
  mqttsPort: mqttsPort === 0 ? await freePort(host) : mqttsPort,
})

const freePort = async (host: string): Promise<number> => {
  const server = createServer()
  await once(server.listen(0, host), 'listening')
  const address = server.address()
  server.close()
  if (typeof address === 'string' || address === null) throw new Error('There is no free port')
  return address.port
}
