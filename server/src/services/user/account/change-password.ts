import type { operations, UserResponse } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName, type UserPrincipal } from '../../../http/principal.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import { lockOwnAccount } from './own-account.ts'
import type { UserDependencies } from '../dependencies.ts'
import { deleteLinksOf } from './links.store.ts'
import { assertAcceptablePassword, hashPassword, isPasswordOf } from './password.ts'
import { notifyBy } from './security-notice.ts'
import { readUserResponse } from './user-response.ts'
import { savePassword } from './user-changes.store.ts'
import { findUser } from './users.store.ts'

type Dependencies = Pick<UserDependencies, 'database' | 'clock' | 'jobs' | 'audit'>
type ChangeCall = Pick<
  Call<typeof operations.changePassword>,
  'params' | 'body' | 'principal' | 'client' | 'commit'
>

/** The session it happens in goes on; all others end. Nobody sets the password of somebody else. */
export const changePassword =
  (deps: Dependencies) =>
  async ({ params, body, principal, client, commit }: ChangeCall): Promise<UserResponse> => {
    if (params.id.toLowerCase() !== principal.id) throw new Problem('not_found')
    await assertPresent(deps, principal, body.currentPassword)
    const password = new Secret(body.password)
    assertAcceptablePassword(password, principal)
    const passwordHash = await hashPassword(password)
    return commit(async (tx) => {
      const user = await lockOwnAccount(tx, principal)
      const now = new Date(deps.clock.now())
      await savePassword(tx, { id: user.id, passwordHash, keptSessionId: principal.sessionId }, now)
      await deleteLinksOf(tx, user.id, ['confirm_new_email', 'reset_password'])
      await notifyBy(deps)(tx, { userId: user.id, notice: 'password_changed' })
      await deps.audit.write(tx, {
        actor: principalName(principal),
        action: 'users.change_password',
        subject: principalName(principal),
        ipAddress: client.ip,
      })
      return readUserResponse(tx, user.id)
    })
  }

/** Whoever has got hold of a session does not get the account with it. */
const assertPresent = async (
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  principal: UserPrincipal,
  currentPassword: string | undefined,
): Promise<void> => {
  if (currentPassword === undefined) {
    assertRecentSignIn(principal, clock)
    return
  }
  const user = await findUser(database.query, principal.id)
  if (await isPasswordOf(user, new Secret(currentPassword))) return
  throw new Problem('step_up_required', { details: ['/currentPassword is not the password in force'] })
}
