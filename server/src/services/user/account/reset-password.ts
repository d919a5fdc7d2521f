import type { operations, UserResponse } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { UserDependencies } from '../dependencies.ts'
import { attemptSubject } from '../sign-in/sign-in-attempts.ts'
import { forgetFailures } from '../sign-in/sign-in-attempts.store.ts'
import { hashLinkToken } from '../users/link-token.ts'
import { deleteLinksOf, findLink, type StoredLink } from '../users/links.store.ts'
import { passwordOwner } from './password-owner.ts'
import { assertAcceptablePassword, hashPassword } from '../users/password.ts'
import { notify } from '../mailing/security-notice.ts'
import { lockUser, savePassword } from '../users/user-changes.store.ts'
import { readUserResponse } from './user-response.ts'
import { findUser } from '../users/users.store.ts'

export const findResetLink = (
  { clock }: UserDependencies,
  query: Query,
  token: Secret,
): Promise<StoredLink | undefined> => {
  const wanted = { tokenHash: hashLinkToken(token), purposes: ['reset_password'] } as const
  return findLink(query, wanted, new Date(clock.now()))
}

/** Looks the link up again once the user is locked: of two concurrent uses, one succeeds. */
export const resetPassword = async (
  deps: UserDependencies,
  {
    query,
    body,
    client,
    commit,
  }: Pick<Call<typeof operations.resetPassword>, 'query' | 'body' | 'client' | 'commit'>,
): Promise<UserResponse> => {
  const token = new Secret(query.token)
  const link = await findResetLink(deps, deps.database.query, token)
  const owner = link && (await findUser(deps.database.query, link.userId))
  if (owner === undefined) throw new Problem('link_invalid')
  const password = new Secret(body.password)
  await assertAcceptablePassword(password, await passwordOwner(deps, owner))
  const passwordHash = await hashPassword(password)
  return commit(async (tx) => {
    const user = await lockUser(tx, owner.id)
    if (user?.status !== 'active' || (await findResetLink(deps, tx, token)) === undefined) {
      throw new Problem('link_invalid')
    }
    const now = new Date(deps.clock.now())
    await savePassword(tx, { id: user.id, passwordHash, isEmailProven: true }, now)
    await forgetFailures(tx, attemptSubject(user.id))
    await deleteLinksOf(tx, user.id, [
      'confirm_email',
      'confirm_new_email',
      'reset_password',
      'unlock_sign_in',
    ])
    await notify(deps, tx, { userId: user.id, notice: 'password_changed' })
    await deps.audit.write(tx, {
      actor: `ip:${client.ip}`,
      action: 'users.reset_password',
      subject: `user:${user.id}`,
      ipAddress: client.ip,
    })
    return readUserResponse(tx, user.id)
  })
}
