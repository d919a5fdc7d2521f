import type { Client, ClientConfig } from 'pg'
import { PatientClient } from './patient-client.ts'

/**
 * Ends connections that the network forgot without closing them. When a statement has no answer for a while, a new
 * connection asks the server whether it works on it. If not, its connection will never answer, and neither will those that
 * were last answered before, or that were to be opened: a firewall that restarts forgets them all.
 */
export type SilenceWatch = {
  /** Before the client connects. */
  watch(client: Client, config: ClientConfig): Watched
}
export type Watched = { asks(): void }

export type SilenceWatchOptions = {
  /** How long a statement may be without an answer before the server is asked. */
  readonly patienceMs: number
  /** How soon a server that did not answer is asked again. One that answered is asked again after twice as long. */
  readonly everyMs: number
}

type Known = {
  readonly client: Client
  readonly config: ClientConfig
  isConnected: boolean
  askedMs: number | undefined
  /** When the server last answered; at first, when it was to be connected. */
  answeredMs: number
}

const defaults: SilenceWatchOptions = { patienceMs: 3_000, everyMs: 500 }
const connectTimeoutMs = 2_000

/**
 * `active` is a connection that the server works for. The two seconds are for an answer that is on its way. Behind a pooler
 * a client has the number of another connection, so none is ended.
 */
const findSilent = `
  select pid from pg_stat_activity
  where pid = any($1) and usename = current_user and state <> 'active'
    and state_change < clock_timestamp() - interval '2 seconds' and pg_backend_pid() = $2`

export const watchForSilence = ({ patienceMs, everyMs } = defaults): SilenceWatch => {
  const all = new Set<Known>()
  let timer: NodeJS.Timeout | undefined
  let answeredMs = Number.NEGATIVE_INFINITY
  let lookedMs = 0

  const look = (): void => {
    const waiting = [...all].filter(({ askedMs }) => askedMs !== undefined)
    if (waiting.length === 0) {
      clearInterval(timer)
      timer = undefined
      return
    }
    const startedMs = performance.now()
    // This process was stopped: what it waits for may have arrived.
    if (startedMs - lookedMs > 2 * everyMs) for (const known of waiting) known.askedMs = startedMs
    lookedMs = startedMs
    const isLate = ({ askedMs = startedMs }: Known): boolean => startedMs - askedMs >= patienceMs
    if (startedMs - answeredMs < 2 * everyMs || !waiting.some(isLate)) return
    const onSilent = (pids: ReadonlySet<number>): readonly number[] => {
      answeredMs = performance.now()
      return endForgotten(all, { isLate, pids, startedMs })
    }
    // Without waiting for an earlier one: the network may work again since that was sent.
    withSilent(waiting, onSilent).catch(() => {
      // Nobody can connect now, so that nothing is known about the others.
    })
  }

  return {
    watch(client, config) {
      if (client.host.startsWith('/')) return { asks: () => {} }
      const known: Known = {
        client,
        config,
        isConnected: false,
        askedMs: undefined,
        answeredMs: performance.now(),
      }
      all.add(known)
      client.once('connect', () => {
        known.isConnected = true
      })
      client.once('end', () => all.delete(known))
      client.on('drain', () => {
        known.askedMs = undefined
        known.answeredMs = performance.now()
      })
      return {
        asks() {
          known.askedMs ??= performance.now()
          if (timer !== undefined) return
          lookedMs = performance.now()
          timer = setInterval(look, everyMs).unref()
        },
      }
    },
  }
}

type Found = {
  readonly isLate: (known: Known) => boolean
  /** Of connections that the server does not work for. */
  readonly pids: ReadonlySet<number>
  /** When a connection that works was to be opened. */
  readonly startedMs: number
}

/** Returns the numbers of those that waited for an answer. */
const endForgotten = (all: ReadonlySet<Known>, { isLate, pids, startedMs }: Found): readonly number[] => {
  const isSilent = ({ client }: Known): boolean => pids.has(pidOf(client))
  const silent = new Set([...all].filter((known) => isLate(known) && isSilent(known)))
  if (silent.size === 0) return []
  const sinceMs = Math.min(...[...silent].map(({ askedMs = startedMs }) => askedMs))
  const isForgotten = (known: Known): boolean => {
    if (!known.isConnected) return known.answeredMs < startedMs
    return known.answeredMs < sinceMs && (known.askedMs === undefined || isSilent(known))
  }
  const forgotten = [...all].filter((known) => silent.has(known) || isForgotten(known))
  for (const { client } of forgotten) {
    client.connection.stream.destroy(new Error('Connection terminated: the network forgot it'))
  }
  return forgotten.filter(isSilent).map(({ client }) => pidOf(client))
}

/**
 * Tells the numbers of the connections that wait for a server that does not work for them, and gets those that were ended. Then the
 * server ends its side of them, which may hold locks: afterwards, so that nobody gets an idle one in between.
 */
const withSilent = async (
  waiting: readonly Known[],
  onSilent: (pids: ReadonlySet<number>) => readonly number[],
): Promise<void> => {
  const [first] = waiting
  if (first === undefined) return
  const asker = new PatientClient({
    ...first.config,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: connectTimeoutMs,
  })
  asker.on('error', () => {})
  try {
    await asker.connect()
    const asked = [waiting.map(({ client }) => pidOf(client)), pidOf(asker)]
    const { rows } = await asker.query<{ pid: number }>(findSilent, asked)
    const ended = onSilent(new Set(rows.map(({ pid }) => pid)))
    if (ended.length > 0)
      await asker.query('select pg_terminate_backend(pid) from unnest($1::int[]) as t (pid)', [ended])
  } finally {
    await asker.end().catch(() => {})
  }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- documented, but not in its types
const pidOf = (client: Client): number => (client as Client & { readonly processID: number }).processID
