import { createFolderFiles, lockFolder, type LogNode, openNode } from '@millseal/node'
import type { Logger } from 'pino'
import { Gauge, type Registry } from 'prom-client'
import { readNodeLogs } from '../config/node-logs.ts'
import type { Config } from '../config.ts'
import type { Dependency } from '../http/readiness.ts'
import type { Clock } from '../ports/clock/clock.ts'

/** How often each log is asked, if it does not send its checkpoints. */
const everyMs = 10_000

export type OpenedNode = AsyncDisposable & {
  /** Undefined without `MILLSEAL_NODE_LOGS`. */
  readonly node: LogNode | undefined
  readonly note: (line: string) => void
  /** Begins to ask the logs. */
  start(): void
}

/** The node of this server, for logs of other organisations. */
export const openLogNode = async (
  config: Config,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Promise<OpenedNode> => {
  const settings = readNodeLogs(config)
  const note = (line: string): void => log.warn({ node: settings?.name }, line)
  if (settings === undefined)
    return { node: undefined, note, start: () => {}, [Symbol.asyncDispose]: () => Promise.resolve() }
  using locked = new DisposableStack()
  locked.use(lockFolder(settings.folder))
  const files = createFolderFiles(settings.folder)
  const node = await openNode({ ...settings, files, now: () => clock.now(), note })
  log.info({ node: node.keys.node.vkey, witness: node.keys.witness.vkey }, 'this server is a node')
  const held = locked.move()
  return {
    node,
    note,
    start: () => void node.run(everyMs),
    async [Symbol.asyncDispose]() {
      await node.close()
      held.dispose()
    },
  }
}

/** What readiness and metrics say of the copies. This installation works without them. */
export const observeLogNode = ({ node }: OpenedNode, registry: Registry): readonly Dependency[] => {
  const logs = node?.logs ?? []
  const gauge = (name: string, help: string, read: (state: (typeof logs)[number]['state']) => number): void =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: ['log'],
        registers: [],
        collect() {
          for (const { key, state } of logs) this.set({ log: key.name }, read(state))
        },
      }),
    )
  gauge(
    'millseal_node_stopped',
    '1 if the node stopped this log of others for ever, because it forked or lied',
    ({ stopped }) => (stopped === undefined ? 0 : 1),
  )
  gauge(
    'millseal_node_failing',
    '1 if the last attempt to follow this log of others failed',
    ({ problem }) => (problem === undefined ? 0 : 1),
  )
  gauge(
    'millseal_node_entries',
    'Entries of the copy that were checked and signed',
    ({ published }) => published?.size ?? 0,
  )
  return logs.map((held) => ({
    name: `copy of ${held.key.name}`,
    part: {
      async check() {
        const { stopped, problem } = held.state
        if (stopped !== undefined) throw new Error(`stopped for ever: ${stopped}`)
        if (problem !== undefined) throw new Error(problem)
      },
    },
    neededFor: {},
  }))
}
