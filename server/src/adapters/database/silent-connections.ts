import { Client, type ClientConfig } from 'pg'

/**
 * Ends connections that the network forgot without closing them. When a statement has no answer for a while, a new
 * connection asks the server whether it works on it. If not, its connection will never answer, and neither will the idle
 * ones that were last answered before: a firewall that restarts forgets them all.
 */
export type SilenceWatch = {
  watch(client: Client, config: ClientConfig): Watched
}
export type Watched = { asks(): void }

export type SilenceWatchOptions = {
  /** How long a statement may be without an answer before the server is asked. */
  readonly patienceMs: number
  readonly everyMs: number
}

type Known = {
  readonly client: Client
  readonly config: ClientConfig
  askedMs: number | undefined
  answeredMs: number
}

const defaults: SilenceWatchOptions = { patienceMs: 3_000, everyMs: 1_000 }
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
  let isAsking = false

  const look = async (): Promise<void> => {
    const waiting = [...all].filter(({ askedMs }) => askedMs !== undefined)
    if (waiting.length === 0) {
      clearInterval(timer)
      timer = undefined
      return
    }
    const late = waiting.filter(({ askedMs = 0 }) => performance.now() - askedMs >= patienceMs)
    if (late.length === 0 || isAsking) return
    isAsking = true
    try {
      await withSilent(late, (pids) => endSilent(late, pids))
    } catch {
      // Nobody can connect now, so that nothing is known about the others.
    } finally {
      isAsking = false
    }
  }

  const endSilent = (late: readonly Known[], pids: ReadonlySet<number>): void => {
    const silent = late.filter(({ client }) => pids.has(pidOf(client)))
    if (silent.length === 0) return
    const sinceMs = Math.min(...silent.map(({ askedMs = Number.POSITIVE_INFINITY }) => askedMs))
    const forgotten = [...all].filter(
      ({ askedMs, answeredMs }) => askedMs === undefined && answeredMs < sinceMs,
    )
    for (const { client } of [...silent, ...forgotten]) {
      client.connection.stream.destroy(new Error('Connection terminated: the network forgot it'))
    }
  }

  return {
    watch(client, config) {
      if (client.host.startsWith('/')) return { asks: () => {} }
      const known: Known = { client, config, askedMs: undefined, answeredMs: performance.now() }
      client.once('connect', () => all.add(known))
      client.once('end', () => all.delete(known))
      client.on('drain', () => {
        known.askedMs = undefined
        known.answeredMs = performance.now()
      })
      return {
        asks() {
          known.askedMs ??= performance.now()
          timer ??= setInterval(() => void look(), everyMs).unref()
        },
      }
    },
  }
}

/**
 * Tells the numbers of the connections that wait for a server that does not work for them. Then the server ends its side
 * of them, which may hold locks: afterwards, so that nobody gets an idle one in between.
 */
const withSilent = async (
  late: readonly Known[],
  onSilent: (pids: ReadonlySet<number>) => void,
): Promise<void> => {
  const [first] = late
  if (first === undefined) return
  const asker = new Client({
    ...first.config,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: connectTimeoutMs,
  })
  asker.on('error', () => {})
  try {
    await asker.connect()
    const asked = [late.map(({ client }) => pidOf(client)), pidOf(asker)]
    const { rows } = await asker.query<{ pid: number }>(findSilent, asked)
    const pids = rows.map(({ pid }) => pid)
    onSilent(new Set(pids))
    if (pids.length > 0)
      await asker.query('select pg_terminate_backend(pid) from unnest($1::int[]) as t (pid)', [pids])
  } finally {
    await asker.end().catch(() => {})
  }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- documented, but not in its types
const pidOf = (client: Client): number => (client as Client & { readonly processID: number }).processID
