import { limits, type operations, type UpdateUser, type UserResponse } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { principalName, type UserPrincipal } from '../../../http/principal.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { UserDependencies } from '../dependencies.ts'
import { accessibleUserId } from './accessible-user.ts'
import { newEmailMail } from '../mailing/link-mail.ts'
import { countLinksSince } from '../users/links.store.ts'
import { lockUser, type Profile, saveProfile } from '../users/user-changes.store.ts'
import { readUserResponse } from './user-response.ts'
import { acceptableUsername, assertDistinctUsername } from '../users/username.ts'
import { findUserByLogin, type StoredUser } from '../users/users.store.ts'

export const updateUser = async (
  deps: UserDependencies,
  { params, body, principal, client, commit }: Call<typeof operations.updateUser>,
): Promise<UserResponse> => {
  const id = accessibleUserId(principal, params.id)
  if (body.id !== undefined && body.id.toLowerCase() !== id) throw new Problem('id_mismatch')
  return commit(async (tx) => {
    const user = await lockUser(tx, id)
    if (user === undefined) throw new Problem('not_found')
    const profile: Profile = {
      username: await wantedUsername(tx, body, user),
      onBoarded: body.onBoarded ?? user.onBoarded,
      language: body.language ?? user.language,
      status: wantedStatus(body, user, principal),
      newEmail: wantedEmail(body, user, principal, deps.clock),
    }
    const changes = changesOf(user, profile)
    if (changes === undefined) return readUserResponse(tx, id)
    await assertFree(tx, id, profile.newEmail)
    if (!(await saveProfile(tx, { id, profile }, new Date(deps.clock.now())))) {
      throw new Problem('user_exists')
    }
    if (changes.after.newEmail !== undefined) {
      await assertFewAddresses(deps, tx, id)
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

/** A name of before the rules stays until it changes. */
const wantedUsername = async (
  tx: Transaction,
  { username: given }: UpdateUser,
  user: StoredUser,
): Promise<string> => {
  if (given === undefined || given === user.username) return user.username
  const username = acceptableUsername(given)
  await assertDistinctUsername(tx, username, user.id)
  return username
}

const wantedStatus = (
  { status }: UpdateUser,
  user: StoredUser,
  principal: UserPrincipal,
): StoredUser['status'] => {
  if (status === undefined || status === user.status) return user.status
  if (principal.role !== 'ADMIN')
    throw new Problem('role_missing', {
      reasons: [because('only_operators_change_it', { place: '/status' })],
    })
  if (user.id === principal.id) {
    throw new Problem('validation_failed', {
      reasons: [because('cannot_deactivate_yourself', { place: '/status' })],
    })
  }
  return status
}

/** Mails to this address can open the account, so only its owner may change it, shortly after signing in. */
const wantedEmail = (
  { email }: UpdateUser,
  user: StoredUser,
  principal: UserPrincipal,
  clock: Clock,
): string | null => {
  if (email === undefined) return user.newEmail
  if (email === user.email) return null
  if (user.id !== principal.id) {
    throw new Problem('validation_failed', {
      reasons: [because('only_the_user_changes_it', { place: '/email' })],
    })
  }
  assertRecentSignIn(principal, clock)
  return email
}

/** Anybody with an account could otherwise mail strangers all day. */
const assertFewAddresses = async (
  { clock }: UserDependencies,
  tx: Transaction,
  userId: string,
): Promise<void> => {
  const since = new Date(clock.now() - hourSeconds * 1_000)
  const sent = await countLinksSince(tx, { userId, purpose: 'confirm_new_email', since })
  if (sent < limits.linkMailsPerHour) return
  throw new Problem('rate_limited', {
    reasons: [because('too_many_new_addresses', { most: limits.linkMailsPerHour, place: '/email' })],
    retryAfterSeconds: hourSeconds,
  })
}

const hourSeconds = 60 * 60

const assertFree = async (tx: Transaction, id: string, newEmail: string | null): Promise<void> => {
  const holder = newEmail === null ? undefined : await findUserByLogin(tx, newEmail)
  if (holder !== undefined && holder.id !== id) throw new Problem('user_exists')
}

type Changes = {
  readonly before: { readonly [Name in keyof Profile]?: unknown }
  readonly after: { readonly [Name in keyof Profile]?: unknown }
}

const changesOf = (user: StoredUser, profile: Profile): Changes | undefined => {
  const changed = (Object.keys(profile) as (keyof Profile)[]).filter((name) => user[name] !== profile[name])
  if (changed.length === 0) return undefined
  const pick = (from: Profile) => Object.fromEntries(changed.map((name) => [name, from[name] ?? undefined]))
  return { before: pick(user), after: pick(profile) }
}
