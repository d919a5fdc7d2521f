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

export const restartable = (environment: Readonly<Record<string, string>>, port: number): Restartable => {
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
      server = await startServer({ ...environment, MILLSEAL_PORT: String(port) })
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}
