import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { bundled } from './bundled.ts'
import { nodeEnvironment } from './node-environment.ts'

/** What an operator starts. */
export const serverSources = join(import.meta.dirname, '../src/main.ts')

export interface ServerProcess extends AsyncDisposable {
  /** The address it listens on, which may differ from its public URL. */
  readonly url: string
  readonly mqttUrl: string
  readonly child: ChildProcess
  /** Its log so far. */
  readonly log: readonly string[]
}

/** The server in a separate process, on a free port. `program`: the sources, for measurements, or those of another checkout. */
export const startServer = async (
  environment: Readonly<Record<string, string>>,
  program?: string,
): Promise<ServerProcess> => {
  const [port, mqttPort] = [String(await freePort()), String(await freePort())]
  const child = spawn(
    process.execPath,
    ['--disable-proto=delete', '--max-semi-space-size=8', program ?? (await bundled(serverSources))],
    {
      env: {
        ...nodeEnvironment(),
        MILLSEAL_PORT: port,
        MILLSEAL_MQTT_PORT: mqttPort,
        MILLSEAL_MQTTS_PORT: 'off',
        MILLSEAL_RATE_LIMIT: '0',
        MILLSEAL_SAMPLES: 'off',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const log: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => log.push(line))
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line)
    if (!line.startsWith('millseal is ready')) continue
    child.stderr.resume()
    return {
      url: `http://localhost:${port}`,
      mqttUrl: `mqtt://localhost:${environment['MILLSEAL_MQTT_PORT'] ?? mqttPort}`,
      child,
      log,
      async [Symbol.asyncDispose]() {
        if (child.exitCode !== null || child.signalCode !== null) return
        child.kill('SIGKILL')
        await once(child, 'exit')
      },
    }
  }
  throw new Error(`The server did not start: ${lines.join('\n')}`)
}

/**
 * Below what the system gives to outgoing connections, so that none has it before a server starts there. No other test gets
 * the port until this process ends: it listens on the one that is so much higher.
 */
export const freePort = async (): Promise<number> => {
  const port = randomInt(10_000, 10_000 + reserved)
  const reservation = await listenOn(port + reserved)
  if (reservation === undefined) return await freePort()
  const found = await listenOn(port)
  if (found === undefined) {
    reservation.close()
    return await freePort()
  }
  reservation.unref()
  found.close()
  await once(found, 'close')
  return port
}

const reserved = 10_000

/** Undefined if another program uses the port. */
const listenOn = async (port: number): Promise<Server | undefined> => {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
  return (await promise) ? server : undefined
}
