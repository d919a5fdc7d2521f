import type { BodyOf, operations, UserResponse } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { JobQueue } from '../../../ports/jobs/jobs.ts'
import { confirmationMail } from './confirmation-mail.ts'
import { assertAcceptablePassword, hashPassword } from './password.ts'
import { toUserResponse } from './user-response.ts'
import { insertUser } from './users.store.ts'

type Commit = (work: (tx: Transaction) => Promise<UserResponse>) => Promise<UserResponse>

export const registerUser =
  (deps: { jobs: JobQueue; clock: Clock }) =>
  async ({
    body,
    commit,
  }: {
    body: BodyOf<typeof operations.registerUser>
    commit: Commit
  }): Promise<UserResponse> => {
    const password = new Secret(body.password)
    assertAcceptablePassword(password, body)
    const passwordHash = await hashPassword(password)
    return commit(async (tx) => {
      const now = deps.clock.now()
      const entry = { id: uuidv7(now), username: body.username, email: body.email, passwordHash }
      const user = await insertUser(tx, entry, new Date(now))
      if (user === undefined) throw new Problem('user_exists')
      await deps.jobs.enqueue(tx, confirmationMail, { userId: user.id })
      return toUserResponse(user)
    })
  }
