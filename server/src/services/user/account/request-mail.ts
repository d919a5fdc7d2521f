import { createHash } from 'node:crypto'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import type { JobKind, JobQueue } from '../../../ports/jobs/jobs.ts'
import { findUserByLogin } from './users.store.ts'

type Dependencies = { readonly database: Database; readonly jobs: JobQueue; readonly clock: Clock }

/**
 * Queues a mail that anybody may ask for. Whether an address is registered is its owner's business: where it is not, the
 * same work is done and a job queued that finds nobody, so that neither the answer nor its time tells.
 */
export const requestMail =
  ({ database, jobs, clock }: Dependencies, kind: JobKind<{ userId: string }>) =>
  async (email: string): Promise<void> => {
    const user = await findUserByLogin(database.query, email)
    const userId = user?.id ?? uuidv7(clock.now())
    const singletonKey = createHash('sha256').update(email.toLowerCase()).digest('base64url')
    await database.transaction((tx) => jobs.enqueue(tx, kind, { userId }, { singletonKey }))
  }
