import type { AnswerOf, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { lockUser } from '../users/user-changes.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { attemptSubject } from './sign-in-attempts.ts'
import { forgetFailures } from './sign-in-attempts.store.ts'

export const unlockSignIn = (
  { audit }: UserDependencies,
  { params: { id }, principal, client, commit }: Call<typeof operations.unlockSignIn>,
): Promise<AnswerOf<typeof operations.unlockSignIn>> =>
  commit(async (tx) => {
    if ((await lockUser(tx, id)) === undefined) throw new Problem('not_found')
    if (!(await forgetFailures(tx, attemptSubject(id))))
      return { message: 'This user has no failed sign-ins.' }
    await audit.write(tx, {
      actor: principalName(principal),
      action: 'users.unlock_sign_in',
      subject: attemptSubject(id),
      ipAddress: client.ip,
    })
    return { message: 'The lock has ended.' }
  })
