import { createHash } from 'node:crypto'
import { networkOf } from '../../../lib/network-of.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import { notify } from '../mailing/security-notice.ts'
import type { StoredUser } from '../users/users.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import {
  countFailure,
  deleteOldAttempts,
  findLock,
  type LockRule,
  saveSuccess,
} from './sign-in-attempts.store.ts'

/** From one network: four free, then 10 s and twice as long each time, at last an hour. */
const fromNetwork: LockRule = {
  free: 4,
  firstSeconds: 10,
  longestSeconds: 3_600,
  forgottenAfterSeconds: 2 * 3_600,
}
/** The failure after which the lock lasts that long. */
const lockedAfter = 14
/** From all networks together: only somebody with many addresses gets here. */
const fromEverywhere: LockRule = {
  free: 99,
  firstSeconds: 3_600,
  longestSeconds: 3_600,
  forgottenAfterSeconds: 24 * 3_600,
}
const everywhere = '*'
/** How long a network in which the owner signed in is spared by a lock from everywhere. */
const knownMs = 90 * 86_400_000

export type Attempt = {
  readonly login: string
  /** Undefined if nobody has this login; it is counted and recorded alike, so that no answer and no time tells. */
  readonly user: StoredUser | undefined
  readonly ipAddress: string
}

export const attemptSubject = (userId: string): string => `user:${userId}`

const keyOf = ({ login, user, ipAddress }: Attempt) => ({
  subject:
    user === undefined
      ? `login:${createHash('sha256').update(login.toLowerCase()).digest('base64url')}`
      : attemptSubject(user.id),
  network: networkOf(ipAddress),
})

/** Throws `sign_in_locked` while the account is locked for this network. Call it before and after the check of the password. */
export const assertUnlocked = async (
  { database, clock }: UserDependencies,
  attempt: Attempt,
): Promise<void> => {
  const now = clock.now()
  const until = await findLock(database.query, keyOf(attempt), {
    now: new Date(now),
    longestSeconds: fromNetwork.longestSeconds,
    knownSince: new Date(now - knownMs),
  })
  if (until === undefined) return
  throw new Problem('sign_in_locked', { retryAfterSeconds: Math.ceil((until.getTime() - now) / 1_000) })
}

export type Failure = 'password' | 'code' | 'inactive' | 'unconfirmed'

/** Writes the audit entry of a failed sign-in. The login is left out: people type passwords into the wrong field. */
const recordFailure = (
  { audit }: UserDependencies,
  tx: Parameters<UserDependencies['audit']['write']>[0],
  { user, ipAddress }: { readonly user: { readonly id: string } | undefined; readonly ipAddress: string },
  reason: Failure,
): Promise<void> =>
  audit.write(tx, {
    actor: `ip:${ipAddress}`,
    action: 'auth.sign_in_failed',
    subject: user === undefined ? 'user:unknown' : `user:${user.id}`,
    ipAddress,
    details: { reason },
  })

/** For failures after the password was right. They are not counted here: codes have locks of their own. */
export const recordRefusedSignIn = (
  deps: UserDependencies,
  attempt: { readonly user: { readonly id: string }; readonly ipAddress: string },
  reason: Exclude<Failure, 'password'>,
): Promise<void> => deps.database.transaction((tx) => recordFailure(deps, tx, attempt, reason))

/** Counts a wrong password, and tells the owner when it locks the account. */
export const countWrongPassword = (deps: UserDependencies, attempt: Attempt): Promise<void> =>
  deps.database.transaction(async (tx) => {
    const now = new Date(deps.clock.now())
    const key = keyOf(attempt)
    await recordFailure(deps, tx, attempt, 'password')
    const one = await countFailure(tx, key, fromNetwork, now)
    const all = await countFailure(tx, { ...key, network: everywhere }, fromEverywhere, now)
    if (one.failures !== lockedAfter && all.failures !== fromEverywhere.free + 1) return
    const { user, ipAddress } = attempt
    // A job that finds no user keeps the time of the answer the same.
    await notify(deps, tx, { userId: user?.id ?? uuidv7(now.getTime()), notice: 'sign_in_locked' })
    await deps.audit.write(tx, {
      actor: `ip:${ipAddress}`,
      action: 'auth.lock_sign_in',
      subject: user === undefined ? 'user:unknown' : `user:${user.id}`,
      ipAddress,
      details: { from: one.failures === lockedAfter ? 'network' : 'everywhere' },
    })
  })

export const acceptPassword = async (deps: UserDependencies, attempt: Attempt): Promise<void> => {
  await assertUnlocked(deps, attempt)
  await saveSuccess(deps.database.query, keyOf(attempt), new Date(deps.clock.now()))
}

export const forgetOldAttempts = ({ database, clock }: UserDependencies): Promise<void> => {
  const failed = new Date(clock.now() - fromEverywhere.forgottenAfterSeconds * 1_000)
  return deleteOldAttempts(database.query, { failed, succeeded: new Date(clock.now() - knownMs) })
}
