import type { operations, UserResponse } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { principalName, type UserPrincipal } from '../../../http/principal.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import type { UserDependencies } from '../dependencies.ts'
import { deleteLinksOf } from '../users/links.store.ts'
import { lockOwnAccount } from '../users/own-account.ts'
import { passwordOwner } from './password-owner.ts'
import { assertAcceptablePassword, hashPassword, isPasswordOf } from '../users/password.ts'
import { notify } from '../mailing/security-notice.ts'
import { savePassword } from '../users/user-changes.store.ts'
import { readUserResponse } from './user-response.ts'
import { findUser } from '../users/users.store.ts'

/** Ends all other sessions. Users can only change their own password, operators included. */
export const changePassword = async (
  deps: UserDependencies,
  { params, body, principal, client, commit }: Call<typeof operations.changePassword>,
): Promise<UserResponse> => {
  if (params.id.toLowerCase() !== principal.id) throw new Problem('not_found')
  await assertPasswordOrRecentSignIn(deps, principal, body.currentPassword)
  const password = new Secret(body.password)
  await assertAcceptablePassword(password, await passwordOwner(deps, principal))
  const passwordHash = await hashPassword(password)
  return commit(async (tx) => {
    const user = await lockOwnAccount(tx, principal)
    const now = new Date(deps.clock.now())
    await savePassword(tx, { id: user.id, passwordHash, keptSessionId: principal.sessionId }, now)
    await deleteLinksOf(tx, user.id, ['confirm_new_email', 'reset_password', 'unlock_sign_in'])
    await notify(deps, tx, { userId: user.id, notice: 'password_changed' })
    await deps.audit.write(tx, {
      actor: principalName(principal),
      action: 'users.change_password',
      subject: principalName(principal),
      ipAddress: client.ip,
    })
    return readUserResponse(tx, user.id)
  })
}

/** A stolen session alone must not be enough to take over the account. */
const assertPasswordOrRecentSignIn = async (
  { database, clock }: UserDependencies,
  principal: UserPrincipal,
  currentPassword: string | undefined,
): Promise<void> => {
  if (currentPassword === undefined) {
    assertRecentSignIn(principal, clock)
    return
  }
  const user = await findUser(database.query, principal.id)
  if (await isPasswordOf(user, new Secret(currentPassword))) return
  throw new Problem('step_up_required', {
    reasons: [because('not_current_password', { place: '/currentPassword' })],
  })
}
