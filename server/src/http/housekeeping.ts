import { limits } from '@millseal/contract'
import type { Clock } from '../ports/clock/clock.ts'
import type { Database } from '../ports/database/database.ts'
import type { JobKind, JobRunner } from '../ports/jobs/jobs.ts'
import { deleteAnswersBefore } from './idempotency.store.ts'
import { windowMs } from './rate-limit.ts'
import { deleteWindowsBefore } from './rate-limit.store.ts'

const kind: JobKind<object> = {
  name: 'http-housekeeping',
  retries: 2,
  backoffSeconds: 60,
  expireSeconds: 300,
}

/** Deletes expired rate-limit windows and stored answers. */
export const scheduleHousekeeping = (deps: { database: Database; jobs: JobRunner; clock: Clock }): void => {
  deps.jobs.handle(kind, async () => {
    const now = deps.clock.now()
    await deleteWindowsBefore(deps.database.query, new Date(now - windowMs))
    await deleteAnswersBefore(deps.database.query, new Date(now - limits.idempotencyKey.seconds * 1_000))
  })
  deps.jobs.schedule(kind, '*/10 * * * *')
}
