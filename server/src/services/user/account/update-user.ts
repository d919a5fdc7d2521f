import type { operations, UpdateUser, UserResponse } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName, type UserPrincipal } from '../../../http/principal.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { newEmailMail } from './new-email-mail.ts'
import type { UserDependencies } from '../dependencies.ts'
import { reachableUser } from './reach-user.ts'
import { lockUser, type Profile, saveProfile } from './user-changes.store.ts'
import { readUserResponse } from './user-response.ts'
import { findUserByLogin, type StoredUser } from './users.store.ts'

type Dependencies = Pick<UserDependencies, 'clock' | 'jobs' | 'audit'>
type UpdateCall = Pick<
  Call<typeof operations.updateUser>,
  'params' | 'body' | 'principal' | 'client' | 'commit'
>

export const updateUser =
  (deps: Dependencies) =>
  async ({ params, body, principal, client, commit }: UpdateCall): Promise<UserResponse> => {
    const id = reachableUser(principal, params.id)
    if (body.id !== undefined && body.id.toLowerCase() !== id) throw new Problem('id_mismatch')
    return commit(async (tx) => {
      const user = await lockUser(tx, id)
      if (user === undefined) throw new Problem('not_found')
      const wanted: Profile = {
        id,
        username: body.username ?? user.username,
        onBoarded: body.onBoarded ?? user.onBoarded,
        status: wantedStatus(body, user, principal),
        newEmail: wantedEmail(body, user, principal, deps.clock),
      }
      const changes = changesOf(user, wanted)
      if (changes === undefined) return readUserResponse(tx, id)
      await assertFree(tx, id, wanted.newEmail)
      if (!(await saveProfile(tx, wanted, new Date(deps.clock.now())))) throw new Problem('user_exists')
      if (changes.after.newEmail !== undefined) {
        await deps.jobs.enqueue(tx, newEmailMail, { userId: id }, { singletonKey: id })
      }
      await deps.audit.write(tx, {
        actor: principalName(principal),
        action: 'users.update',
        subject: `user:${id}`,
        ipAddress: client.ip,
        details: changes,
      })
      return readUserResponse(tx, id)
    })
  }

const wantedStatus = (
  { status }: UpdateUser,
  user: StoredUser,
  principal: UserPrincipal,
): StoredUser['status'] => {
  if (status === undefined || status === user.status) return user.status
  if (principal.role !== 'ADMIN') throw new Problem('role_missing', { details: ['/status'] })
  if (user.id === principal.id) {
    throw new Problem('validation_failed', { details: ['/status: nobody can deactivate themselves'] })
  }
  return status
}

/** Where mails of the account are to go decides who can get in: only its own person says so, and has just signed in. */
const wantedEmail = (
  { email }: UpdateUser,
  user: StoredUser,
  principal: UserPrincipal,
  clock: Clock,
): string | undefined => {
  if (email === undefined) return user.newEmail
  if (email === user.email) return undefined
  if (user.id !== principal.id) {
    throw new Problem('validation_failed', { details: ['/email: only the user can change it'] })
  }
  assertRecentSignIn(principal, clock)
  return email
}

const assertFree = async (tx: Transaction, id: string, newEmail: string | undefined): Promise<void> => {
  const holder = newEmail === undefined ? undefined : await findUserByLogin(tx, newEmail)
  if (holder !== undefined && holder.id !== id) throw new Problem('user_exists')
}

type Changes = { readonly before: Partial<Profile>; readonly after: Partial<Profile> }

const changesOf = (user: StoredUser, wanted: Profile): Changes | undefined => {
  const changed = (['username', 'onBoarded', 'status', 'newEmail'] as const).filter(
    (name) => user[name] !== wanted[name],
  )
  if (changed.length === 0) return undefined
  const pick = (profile: Profile): Partial<Profile> =>
    Object.fromEntries(changed.map((name) => [name, profile[name]]))
  return { before: pick(user), after: pick(wanted) }
}
