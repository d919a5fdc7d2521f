import { once } from 'node:events'
import { type ServerProcess, startServer } from './server-process.ts'

/** A server process that is started again on its port. */
export type Restartable = {
  readonly url: string
  /** Whether it answers requests: a worker has only health, readiness and metrics. */
  readonly isApi: boolean
  readonly pid: () => number
  readonly hasEnded: () => boolean
  start(): Promise<void>
  kill(): Promise<void>
  /** As a service manager does. */
  stop(): Promise<void>
}

/** Nothing if the server is ready, else what it says. */
export const readinessOf = (url: string): Promise<string> =>
  fetch(`${url}/api/ready`, { signal: AbortSignal.timeout(5_000) }).then(
    async (response) => (response.status === 200 ? '' : await response.text()),
    (error: unknown) => String(error),
  )

export const restartable = (
  environment: Readonly<Record<string, string>>,
  port: number,
  program?: string,
): Restartable => {
  let server: ServerProcess | undefined
  const child = () => {
    if (server === undefined) throw new Error('The server was never started')
    return server.child
  }
  const hasEnded = () => child().exitCode !== null || child().signalCode !== null
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (server === undefined || hasEnded()) return
    const ended = once(child(), 'exit')
    child().kill(signal)
    await ended
  }
  return {
    url: `http://127.0.0.1:${port}`,
    isApi: environment['MILLSEAL_ROLES'] !== 'worker',
    pid: () => child().pid ?? 0,
    hasEnded,
    async start() {
      server = await startServer({ ...environment, MILLSEAL_PORT: String(port) }, program)
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}
