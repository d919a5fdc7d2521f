import { createHash } from 'node:crypto'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { JobKind } from '../../../ports/jobs/jobs.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findUserByLogin } from './users.store.ts'

/**
 * Queues a mail that anybody may request. Must not reveal whether an address is registered: for an unknown address it
 * queues a job that finds no user, so that the answer and its time are the same.
 */
export const requestMail = async (
  { database, jobs, clock }: UserDependencies,
  kind: JobKind<{ userId: string }>,
  email: string,
): Promise<void> => {
  const user = await findUserByLogin(database.query, email)
  const userId = user?.id ?? uuidv7(clock.now())
  const singletonKey = createHash('sha256').update(email.toLowerCase()).digest('base64url')
  await database.transaction((tx) => jobs.enqueue(tx, kind, { userId }, { singletonKey }))
}
