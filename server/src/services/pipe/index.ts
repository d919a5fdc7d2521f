import { limits } from '@millseal/contract'
import type { Binding } from '../../http/binding.ts'
import type { BrokerAuthenticator } from '../../ports/broker/broker.ts'
import { eraseAll } from '../../lib/erase.ts'
import { startLoop } from '../../lib/loop.ts'
import type { JobKind } from '../../ports/jobs/jobs.ts'
import { brokerRoutes } from './broker/broker.routes.ts'
import { createGatekeeper } from './broker/gatekeeper.ts'
import { vhostOf } from './broker/vhost.ts'
import { startDelivering } from './deliveries/deliver.ts'
import { hookNotice, sendHookNotice } from './deliveries/hook-notice.ts'
import { beyondAnyDelayMs } from './deliveries/schedule.ts'
import type { Pace, PipeDependencies, PipeOptions } from './dependencies.ts'
import { eraseEventsBefore } from './events/event-records.store.ts'
import { eventRoutes } from './deliveries/events.routes.ts'
import { hookRoutes } from './hooks/hooks.routes.ts'
import { deleteEndedHooks } from './hooks/hooks.store.ts'
import { mailStatusRoutes } from './mail-status/mail-status.routes.ts'
import { mailHookRoutes } from './mailhooks/mailhooks.routes.ts'
import { deleteEndedMailHooks } from './mailhooks/mailhooks.store.ts'
import { mailRoutes } from './mails/mails.routes.ts'
import { startSendingMails } from './mails/send-mails.ts'
import { writeMails } from './mails/write-mails.ts'
import { createDispatcher } from './relay/dispatch-events.ts'
import { bringForwardRetries } from './relay/late-retries.store.ts'
import { isEventOnly, outboxChannel } from './events/outbox.store.ts'
import { createNews } from './sequence/news.ts'
import { sequenceRoutes } from './sequence/sequence.routes.ts'
import { findWaitingWork, type WaitingWork } from './relay/queue-states.store.ts'
import { findDueWork } from './relay/due-work.store.ts'
import {
  countEventMails,
  type FailingHooks,
  countFailingHooks,
  findFailingHooks,
  type HookOwner,
  type MailCounts,
} from './relay/failures.store.ts'
import { createPublisher } from './relay/publish-events.ts'

export type { MailCounts } from './relay/failures.store.ts'
export type { BrokerAddresses, PipeOptions } from './dependencies.ts'

export type PipeService = {
  readonly bindings: readonly Binding[]
  /** Delivers the events of the outbox until the result is disposed of. Any number of processes can do so at once. */
  startRelaying(): AsyncDisposable
  /** Ends what waits for events; call it when the server begins to close. */
  stopFollowing(): Promise<void>
  /** Decides who can subscribe to events, and to which. */
  readonly gatekeeper: BrokerAuthenticator
  vhost(): Promise<string>
  /** Mails about events: how many wait, and how many failed since. */
  countMails(since: Date): Promise<MailCounts>
  findFailingHooks(): Promise<FailingHooks>
  findWaitingWork(): Promise<readonly WaitingWork[]>
  countFailingHooks(of: HookOwner): Promise<number>
}

const defaultPace: Pace = { idleMs: 1_000, leaseMs: 45_000 }

const expiredEvents: JobKind<object> = {
  name: 'pipe-expired-events',
  retries: 2,
  backoffSeconds: 60,
  expireSeconds: 300,
}

const dayMs = 24 * 60 * 60 * 1_000

export const createPipeService = (options: PipeOptions): PipeService => {
  const deps: PipeDependencies = {
    ...options,
    vhost: vhostOf(options),
    pace: { ...defaultPace, ...options.pace },
  }
  const news = createNews(deps.database)
  deps.jobs.handle(hookNotice, (job) => sendHookNotice(deps, job), { concurrency: 4 })
  deps.jobs.handle(expiredEvents, async ({ signal }) => {
    const now = await deps.retention.advance(expiredEvents.name)
    const before = new Date(now.getTime() - limits.eventRetentionDays * dayMs)
    await eraseAll(() => eraseEventsBefore(deps.database.query, before), signal)
    await deleteEndedHooks(deps.database.query)
    await deleteEndedMailHooks(deps.database.query)
  })
  deps.jobs.schedule(expiredEvents, '47 * * * *')
  return {
    gatekeeper: createGatekeeper(deps),
    vhost: deps.vhost,
    countMails: (since) => countEventMails(deps.database.query, since),
    findFailingHooks: () => findFailingHooks(deps.database.query),
    findWaitingWork: () => findWaitingWork(deps.database.query),
    countFailingHooks: (of) => countFailingHooks(deps.database.query, of),
    bindings: [
      ...hookRoutes(deps),
      ...eventRoutes(deps),
      ...sequenceRoutes({ ...deps, news }),
      ...mailHookRoutes(deps),
      ...mailRoutes(deps),
      ...mailStatusRoutes(deps),
      ...brokerRoutes(deps),
    ],
    stopFollowing: async () => news[Symbol.asyncDispose](),
    startRelaying: () => startRelaying(deps),
  }
}

const startRelaying = (deps: PipeDependencies): AsyncDisposable => {
  const { database, clock, log, broker, pace } = deps
  const started = new AsyncDisposableStack()
  const start = (name: string, pass: () => Promise<boolean>) => started.use(startLoop({ name, pass, log }))
  const delivering = started.use(startDelivering(deps))
  const sending = started.use(startSendingMails(deps))
  const writing = start('writing mails', () => writeMails(deps, sending.wake))
  const wakers = { onRecords: delivering.wake, onOrders: writing.wake }
  const dispatching = start('dispatching events', createDispatcher(deps, wakers))
  const publishing = broker && start('publishing events', createPublisher(deps, broker))
  const loops = { dispatching, publishing, delivering, writing, sending }
  // Finds what no notification announces: retries that are due, and the work of a process that died.
  const wakeDue = async (): Promise<boolean> => {
    const now = new Date(clock.now())
    const latest = new Date(now.getTime() + beyondAnyDelayMs)
    const { due, hasLate } = await findDueWork(database.query, { now, latest })
    for (const name of due) loops[name]?.wake()
    if (!hasLate) return false
    await bringForwardRetries(database.query, { now, latest })
    for (const { wake } of [delivering, sending]) wake()
    return false
  }
  started.use(startLoop({ name: 'looking for due work', pass: wakeDue, idleMs: pace.idleMs, log }))
  const wake = (news?: string): void => {
    dispatching.wake()
    publishing?.wake()
    if (isEventOnly(news)) return
    delivering.wake()
    sending.wake()
  }
  started.use(database.listen(outboxChannel, wake))
  return started
}
