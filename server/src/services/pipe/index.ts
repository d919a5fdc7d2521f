import { limits } from '@millseal/contract'
import type { Binding } from '../../http/binding.ts'
import type { JobKind } from '../../ports/jobs/jobs.ts'
import type { BrokerAuthenticator } from '../../ports/broker/broker.ts'
import { brokerRoutes } from './broker/broker.routes.ts'
import { createGatekeeper } from './broker/gatekeeper.ts'
import { vhostOf } from './broker/vhost.ts'
import { defaultPace, type PipeDependencies } from './dependencies.ts'
import { startDelivering } from './deliveries/deliver.ts'
import { hookNotice, sendHookNotice } from './deliveries/hook-trouble.ts'
import { eraseEventsBefore } from './events/event-records.store.ts'
import { eventRoutes } from './events/events.routes.ts'
import { hookRoutes } from './hooks/hooks.routes.ts'
import { deleteEndedHooks } from './hooks/hooks.store.ts'
import { mailStatusRoutes } from './mail-status/mail-status.routes.ts'
import { mailHookRoutes } from './mailhooks/mailhooks.routes.ts'
import { deleteEndedMailHooks } from './mailhooks/mailhooks.store.ts'
import { mailRoutes } from './mails/mails.routes.ts'
import { startSendingMails } from './mails/send-mails.ts'
import { writeMails } from './mails/write-mails.ts'
import { dispatchEvents } from './relay/dispatch-events.ts'
import { startLoop } from './relay/loop.ts'
import { isOnlyAnEvent, outboxChannel } from './relay/outbox.store.ts'
import { publishEvents } from './relay/publish-events.ts'

export type { BrokerAddresses } from './broker/broker.routes.ts'
export type { PipeDependencies } from './dependencies.ts'

/** The door of pipe-service: what happened, on its way to whoever is to know. */
export type PipeService = {
  readonly bindings: readonly Binding[]
  /** Begins to hand on what the outbox holds, until what is returned is disposed of. Any number of processes may. */
  startRelaying(): AsyncDisposable
  /** Decides who may subscribe to events, and to which. */
  readonly gatekeeper: BrokerAuthenticator
  vhost(): Promise<string>
}

const expiredEvents: JobKind<object> = {
  name: 'pipe-expired-events',
  retries: 2,
  backoffSeconds: 60,
  expireSeconds: 300,
}

/** Mails are woken by what orders them; a second more for the others is nothing. */
const mailIdleMs = 1_000

const dayMs = 24 * 60 * 60 * 1_000

export const createPipeService = (deps: PipeDependencies): PipeService => {
  deps.jobs.handle(hookNotice, sendHookNotice(deps), { concurrency: 4 })
  deps.jobs.handle(expiredEvents, async () => {
    const before = new Date(deps.clock.now() - limits.eventRetentionDays * dayMs)
    await eraseEventsBefore(deps.database.query, before)
    await deleteEndedHooks(deps.database.query)
    await deleteEndedMailHooks(deps.database.query)
  })
  deps.jobs.schedule(expiredEvents, '47 * * * *')
  const vhost = vhostOf({ database: deps.database, given: deps.vhost })
  return {
    gatekeeper: createGatekeeper({ admit: deps.admit, vhost }),
    vhost,
    bindings: [
      ...hookRoutes(deps),
      ...eventRoutes(deps),
      ...mailHookRoutes(deps),
      ...mailRoutes(deps),
      ...mailStatusRoutes(deps),
      ...brokerRoutes({ ...deps, vhost }),
    ],
    startRelaying: () => startRelaying(deps),
  }
}

const startRelaying = (deps: PipeDependencies): AsyncDisposable => {
  const { database, log, broker } = deps
  const pace = { ...defaultPace, ...deps.pace }
  const started = new AsyncDisposableStack()
  const delivering = started.use(startDelivering(deps, pace))
  const sending = started.use(startSendingMails(deps, { idleMs: mailIdleMs }))
  const write = writeMails(deps, sending.wake)
  const writing = started.use(startLoop({ name: 'writing mails', pass: write, idleMs: mailIdleMs, log }))
  const dispatch = dispatchEvents(deps, { onRecords: delivering.wake, onOrders: writing.wake })
  const forEvents = [
    started.use(startLoop({ name: 'dispatching events', pass: dispatch, idleMs: pace.idleMs, log })),
  ]
  if (broker !== undefined) {
    const pass = publishEvents({ ...deps, broker })
    forEvents.push(started.use(startLoop({ name: 'publishing events', pass, idleMs: pace.idleMs, log })))
  }
  const all = [delivering, sending, ...forEvents]
  const wake = (news?: string): void => {
    for (const loop of isOnlyAnEvent(news) ? forEvents : all) loop.wake()
  }
  started.use(database.listen(outboxChannel, wake))
  return started
}
