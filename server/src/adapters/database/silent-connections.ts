import { Client, type ClientConfig } from 'pg'

/**
 * Ends connections that the network forgot without closing them. When a statement has no answer for a while, a new
 * connection asks the server whether it works on it. If not, its connection will never answer, and neither will the idle
 * ones that were last answered before: a firewall that restarts forgets them all. Nor will an attempt to connect that has
 * no answer while the later one of the new connection has.
 */
export type SilenceWatch = {
  watch(client: Client, config: ClientConfig): Watched
}
export type Watched = {
  connects(): void
  asks(): void
}

export type SilenceWatchOptions = {
  /** How long a statement or an attempt to connect may be without an answer before the server is asked. */
  readonly patienceMs: number
  readonly everyMs: number
}

type Known = {
  readonly client: Client
  readonly config: ClientConfig
  isConnected: boolean
  askedMs: number | undefined
  answeredMs: number
}

const defaults: SilenceWatchOptions = { patienceMs: 1_000, everyMs: 1_000 }
const connectTimeoutMs = 2_000
/** So that there is a new question every second while they have no answer. */
const askersAtOnce = 2

/**
 * `active` is a connection that the server works for. The second is for an answer that is on its way. Behind a pooler
 * a client has the number of another connection, so none is ended.
 */
const findSilent = `
  select pid from pg_stat_activity
  where pid = any($1) and usename = current_user and state <> 'active'
    and state_change < clock_timestamp() - interval '1 second' and pg_backend_pid() = $2`

export const watchForSilence = ({ patienceMs, everyMs } = defaults): SilenceWatch => {
  const all = new Set<Known>()
  let timer: NodeJS.Timeout | undefined
  let askers = 0

  const look = async (): Promise<void> => {
    const waiting = [...all].filter(({ askedMs }) => askedMs !== undefined)
    if (waiting.length === 0) {
      clearInterval(timer)
      timer = undefined
      return
    }
    const nowMs = performance.now()
    const late = waiting.filter(({ askedMs = nowMs }) => nowMs - askedMs >= patienceMs)
    if (late.length === 0 || askers === askersAtOnce) return
    askers += 1
    try {
      await withSilent(late, (pids) => {
        endSilent(late, pids)
        endAttempts(nowMs)
      })
    } catch {
      // Nobody can connect now, so that nothing is known about the others.
    } finally {
      askers -= 1
    }
  }

  const endSilent = (late: readonly Known[], pids: ReadonlySet<number>): void => {
    const silent = late.filter(({ client, isConnected }) => isConnected && pids.has(pidOf(client)))
    if (silent.length === 0) return
    const sinceMs = Math.min(...silent.map(({ askedMs = Number.POSITIVE_INFINITY }) => askedMs))
    const forgotten = [...all].filter(
      ({ askedMs, answeredMs, isConnected }) => isConnected && askedMs === undefined && answeredMs < sinceMs,
    )
    for (const one of [...silent, ...forgotten]) end(one)
  }

  /** Those that began before one that is open now. They say nothing about idle ones: a busy server drops some. */
  const endAttempts = (beforeMs: number): void => {
    for (const one of all)
      if (one.askedMs !== undefined && one.askedMs < beforeMs && isUnansweredAttempt(one)) end(one)
  }

  return {
    watch(client, config) {
      if (client.host.startsWith('/')) return { connects: () => {}, asks: () => {} }
      const known: Known = {
        client,
        config,
        isConnected: false,
        askedMs: undefined,
        answeredMs: performance.now(),
      }
      const answered = (): void => {
        known.askedMs = undefined
        known.answeredMs = performance.now()
      }
      const asks = (): void => {
        known.askedMs ??= performance.now()
        timer ??= setInterval(() => void look(), everyMs).unref()
      }
      client.once('connect', () => {
        known.isConnected = true
        answered()
      })
      client.once('end', () => all.delete(known))
      client.on('drain', answered)
      return {
        connects() {
          all.add(known)
          asks()
        },
        asks,
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
    const connected = late.filter(({ isConnected }) => isConnected)
    const asked = [connected.map(({ client }) => pidOf(client)), pidOf(asker)]
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

const isUnansweredAttempt = ({ client: { connection }, isConnected }: Known): boolean =>
  !isConnected && 'bytesRead' in connection.stream && connection.stream.bytesRead === 0

const end = ({ client }: Known): void =>
  void client.connection.stream.destroy(new Error('Connection terminated: the network forgot it'))
