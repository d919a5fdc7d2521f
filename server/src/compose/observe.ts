import type { Server } from 'node:http'
import { modes } from '@millseal/contract'
import { sql } from 'kysely'
import { Gauge, Histogram } from 'prom-client'
import { walSpoolOf } from '../adapters/database/embedded/wal-spool.ts'
import type { Config } from '../config.ts'
import { createRecentCheck } from '../lib/recent-check.ts'
import { secondsSince } from '../lib/seconds-since.ts'
import type { CertificateDependencies } from '../services/certificate/index.ts'
import type { PipeService } from '../services/pipe/index.ts'
import type { OpenedBroker } from './broker.ts'
import type { OpenedLedgers } from './ledgers.ts'
import type { Ports } from './ports.ts'
import type { Metrics } from '../http/metrics.ts'
import { longestWait } from './wal/ship.ts'

type Parts = Ports & {
  readonly config: Config
  readonly ledgers: OpenedLedgers
  readonly broker: OpenedBroker
  readonly pipe: PipeService
}

/** The queues are the same for all processes, so scrapes of a few seconds share an answer, and none waits long. */
const checks = { maxAgeMs: 4_000, waitMs: 2_000, deadlineMs: 10_000 }

/** Metrics of what is in the database, and of this process. */
export const observeInstallation = (parts: Parts): void => {
  const roles = gaugesOf(parts)('millseal_role', 'Roles of this process', ['role'])
  for (const role of parts.config.roles) roles.set({ role }, 1)
  observeWriter(parts)
  observeBroker(parts)
  observeDatabase(parts)
  observeArchive(parts)
}

/** Separate, because the HTTP server is opened after everything else. */
export const observeConnections = (server: Server, { metrics }: Ports): void => {
  const refresh = (): Promise<void> =>
    new Promise((done) => {
      server.getConnections((error, count) => {
        if (error === null) open.set(count)
        done()
      })
    })
  const open = gaugesOf({ metrics }, refresh)(
    'millseal_http_connections',
    'Open HTTP connections of this process',
  )
}

/** Measures the whole way from the answer 201 to the entry, which several processes may have gone. */
export const observeNotarizations = ({ metrics }: Ports): CertificateDependencies['onEnded'] => {
  const times = new Histogram({
    name: 'millseal_notarization_seconds',
    help: 'Time from accepting a certificate to its end, by outcome',
    labelNames: ['mode', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600],
    registers: [metrics.registry],
  })
  return ({ mode, outcome, seconds }) => times.observe({ mode, outcome }, seconds)
}

/** `refresh` sets gauges before they are read. It must have a deadline, and not reject. */
const gaugesOf =
  ({ metrics }: { readonly metrics: Metrics }, refresh?: () => void | Promise<void>) =>
  (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [metrics.registry],
      collect: refresh,
    })

const observeWriter = (parts: Parts): void => {
  const gauge = gaugesOf(parts, () => {
    for (const mode of modes) {
      const { isWriter, begun } = parts.ledgers.embedded(mode).term()
      writer.set({ mode }, isWriter ? 1 : 0)
      terms.set({ mode }, begun)
    }
  })
  const writer = gauge('millseal_ledger_writer', '1 if this process writes the log', ['mode'])
  const terms = gauge('millseal_ledger_terms', 'How often this process became the writer of the log', [
    'mode',
  ])
}

const observeBroker = ({ broker: { connections }, ...parts }: Parts): void => {
  if (connections === undefined) return
  const gauge = gaugesOf(parts, () => {
    const count = connections()
    isBroker.set(count === undefined ? 0 : 1)
    clients.set(count ?? 0)
  })
  const isBroker = gauge('millseal_mqtt_broker', '1 if this process is the MQTT broker')
  const clients = gauge('millseal_mqtt_connections', 'Authenticated MQTT clients of this process')
}

const observeArchive = (parts: Parts): void => {
  const gauge = gaugesOf(parts, async () => waiting.set(await longestWait(walSpoolOf(parts.config.dataDir))))
  const waiting = gauge(
    'millseal_wal_waiting_seconds',
    'For how long the oldest segment of the write-ahead log has not been archived; 0 without an archive',
  )
}

type Queue = {
  readonly queue: string
  readonly depth: number
  readonly overdueSeconds: number
  readonly failed?: number
}

const observeDatabase = (parts: Parts): void => {
  const gauge = gaugesOf(parts, async () => {
    const last = await read()
    up.set(last !== undefined && last.error === undefined ? 1 : 0)
  })
  const up = gauge('millseal_database_up', 'Whether the state of the queues could be read (1) or not (0)')
  const depth = gauge('millseal_queue_depth', 'Work that waits or runs, of all processes', ['queue'])
  const overdue = gauge('millseal_queue_overdue_seconds', 'For how long the oldest work has been due', [
    'queue',
  ])
  const failed = gauge('millseal_queue_failed', 'Work that failed for good and is still stored', ['queue'])
  const failing = gauge('millseal_webhooks_failing', 'Webhooks whose last delivery failed')
  const connections = gauge('millseal_database_connections', 'Connections of all processes to the database', [
    'application',
  ])
  const check = async (): Promise<void> => {
    const answers = Promise.all([readQueues(parts), parts.pipe.findFailingHooks(), countConnections(parts)])
    const [queues, hooks, open] = await answers.finally(() => {
      // Old numbers would look as if nothing had happened since.
      for (const each of [depth, overdue, failed, connections]) each.reset()
      failing.remove()
    })
    for (const { application, count } of open) connections.set({ application }, count)
    failing.set(hooks.count)
    for (const { queue, ...state } of queues) {
      depth.set({ queue }, state.depth)
      overdue.set({ queue }, state.overdueSeconds)
      if (state.failed !== undefined) failed.set({ queue }, state.failed)
    }
  }
  const read = createRecentCheck({ ...checks, check })
}

const readQueues = async ({ clock, jobs, pipe, ledgers }: Parts): Promise<readonly Queue[]> => {
  const [counts, waiting, ...submissions] = await Promise.all([
    jobs.counts(),
    pipe.findWaitingWork(),
    ...modes.map(async (mode) => ({
      queue: `ledger-${mode}`,
      ...(await ledgers.embedded(mode).findWaiting()),
    })),
  ])
  return [
    ...counts.map(({ kind, waiting: idle, active, ...others }) => ({
      queue: kind,
      depth: idle + active,
      ...others,
    })),
    ...[...waiting, ...submissions].map(({ dueAt, ...state }) => ({
      ...state,
      overdueSeconds: dueAt === null ? 0 : secondsSince(dueAt, clock.now()),
    })),
  ]
}

type Connected = { readonly application: string; readonly count: number }

const countConnections = async ({ database }: Parts): Promise<readonly Connected[]> => {
  const { rows } = await sql<Connected>`
    select case when starts_with(application_name, 'millseal') then application_name else 'other' end as application,
      count(*)::int as count
    from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
    group by 1`.execute(database.query)
  return rows
}
