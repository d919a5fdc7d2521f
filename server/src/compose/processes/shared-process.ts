import { once } from 'node:events'
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { Config } from '../../config.ts'
import type { Begin, Report, ToPrimary, ToProcess } from './messages.ts'
import { startDeadline } from '../../lib/deadline.ts'

/** What a process knows that shares the port with others. */
export type SharedProcess = Pick<Begin, 'number' | 'count' | 'isFirst' | 'elapsedMs' | 'relayPath'> & {
  /** The settings, with the ports that the primary process has chosen. */
  readonly config: Config
  /** Serves the metrics of this process to the others; returns a function that reads those of all. */
  exchangeMetrics(registry: Registry): () => Promise<string>
  announceReady(): void
}

/** Leaves room for commands. */
const embeddedConnections = 180
/** The most that a process has beside its pool. */
export const connectionsBesidePool = 12
const collectDeadlineMs = 4_000

/** Waits for the primary process to say what this one is. */
export const joinProcesses = async (config: Config): Promise<SharedProcess> => {
  const begun = once(process, 'message')
  send({ kind: 'hello' })
  const [begin] = (await begun) as [Begin]
  const { number, count, isFirst, elapsedMs, ports, relayPath } = begin
  const most = Math.floor(embeddedConnections / count) - connectionsBesidePool
  return {
    number,
    count,
    isFirst,
    elapsedMs,
    relayPath,
    config: {
      ...config,
      ...ports,
      databaseConnections:
        config.databaseUrl === undefined
          ? Math.max(4, Math.min(config.databaseConnections, most))
          : config.databaseConnections,
    },
    exchangeMetrics: (registry) => exchangeMetrics(registry, number),
    announceReady: () => send({ kind: 'ready' }),
  }
}

const exchangeMetrics = (registry: Registry, number: number): (() => Promise<string>) => {
  registry.setDefaultLabels({ process: String(number) })
  const asking = new Map<number, (reports: readonly Report[]) => void>()
  let lastAsked = 0
  process.on('message', (message: ToProcess) => {
    if (message.kind === 'report') {
      registry.getMetricsAsJSON().then(
        (report) => send({ kind: 'reported', id: message.id, report }),
        () => {},
      )
    } else if (message.kind === 'collected') asking.get(message.asked)?.(message.reports)
  })
  return async () => {
    lastAsked += 1
    const asked = lastAsked
    const { promise, resolve, reject } = Promise.withResolvers<readonly Report[]>()
    using _deadline = startDeadline(collectDeadlineMs, () =>
      reject(new Error('The primary process did not answer')),
    )
    asking.set(asked, resolve)
    try {
      send({ kind: 'collect', asked })
      return await AggregatorRegistry.aggregate([...(await promise)]).metrics()
    } finally {
      asking.delete(asked)
    }
  }
}

/** Without a primary process, this one ends by itself. */
const send = (message: ToPrimary): void => {
  if (process.connected) process.send?.(message, () => {})
}
