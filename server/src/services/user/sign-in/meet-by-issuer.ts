import { randomBytes } from 'node:crypto'
import { limits } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findUserIdOfSubject, insertIssuerLink, lockSubject } from './issuers.store.ts'
import { deleteLinksOf } from '../account/links.store.ts'
import { hashPassword } from '../account/password.ts'
import { notifyBy } from '../account/security-notice.ts'
import { lockUser, savePassword } from '../account/user-changes.store.ts'
import {
  findUser,
  findUserByLogin,
  insertUser,
  markEmailConfirmed,
  type StoredUser,
} from '../account/users.store.ts'

/** Somebody an external issuer vouches for. */
export type Stranger = {
  readonly issuer: string
  readonly subject: string
  readonly email: string | undefined
  readonly emailVerified: boolean
  readonly name: string | undefined
  readonly ipAddress: string
}

type Dependencies = Pick<UserDependencies, 'database' | 'clock' | 'jobs' | 'audit'>

/**
 * The user a person of an external issuer is. The first meeting is by an e-mail address the issuer has verified, each
 * later one by the subject alone: addresses change hands, subjects do not.
 */
export const meetByIssuer =
  (deps: Dependencies) =>
  async (stranger: Stranger): Promise<StoredUser> => {
    // Never revealed to anybody: an account made here has a password only once its owner sets one.
    const unusable = await hashPassword(new Secret(randomBytes(32).toString('base64url')))
    return deps.database.transaction(async (tx) => {
      await lockSubject(tx, stranger)
      const knownId = await findUserIdOfSubject(tx, stranger)
      const known = knownId === undefined ? undefined : await findUser(tx, knownId)
      const user = known ?? (await meetFirst(deps, tx, { stranger, unusable }))
      if (user.status !== 'active') throw new Problem('user_inactive')
      return user
    })
  }

type Meeting = { readonly stranger: Stranger; readonly unusable: string }

const meetFirst = async (deps: Dependencies, tx: Transaction, meeting: Meeting): Promise<StoredUser> => {
  const { stranger } = meeting
  const now = new Date(deps.clock.now())
  const email = verifiedEmail(stranger)
  const found = await findUserByLogin(tx, email)
  const existing = found === undefined ? undefined : await lockUser(tx, found.id)
  const user = existing ?? (await createUser(tx, { ...meeting, email }, now))
  if (existing?.emailConfirmed === false) {
    // Whoever registered somebody else's address must not keep a password to it.
    await savePassword(tx, { id: user.id, passwordHash: meeting.unusable, isEmailProven: true }, now)
    await deleteLinksOf(tx, user.id, ['confirm_email', 'confirm_new_email', 'reset_password'])
  }
  const { issuer, subject, ipAddress } = stranger
  if (!(await insertIssuerLink(tx, { issuer, subject, userId: user.id }, now))) {
    throw new Problem('user_exists')
  }
  if (existing?.emailConfirmed === true)
    await notifyBy(deps)(tx, { userId: user.id, notice: 'issuer_linked' })
  await deps.audit.write(tx, {
    actor: `user:${user.id}`,
    action: existing === undefined ? 'users.register' : 'users.link_issuer',
    subject: `user:${user.id}`,
    ipAddress,
    details: { issuer },
  })
  return user
}

const verifiedEmail = ({ email, emailVerified }: Stranger): string => {
  const isUsable =
    email !== undefined &&
    email.length <= limits.email.maxLength &&
    /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(email)
  if (!emailVerified || !isUsable) throw new Problem('email_unconfirmed')
  return email
}

const attempts = 5

/** Under the name the issuer gives or the first part of the address, with something added where that is taken. */
const createUser = async (
  tx: Transaction,
  { stranger, email, unusable }: Meeting & { readonly email: string },
  now: Date,
): Promise<StoredUser> => {
  const wanted = stranger.name ?? email.split('@', 1)[0] ?? ''
  const name = wanted.replaceAll(/[@\s\p{Cc}]+/gu, '-').slice(0, limits.username.maxLength - 9)
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const isPlain = attempt === 0 && name.length >= limits.username.minLength
    const user = await insertUser(
      tx,
      {
        id: uuidv7(now.getTime()),
        username: isPlain ? name : `${name}-${randomBytes(4).toString('hex')}`,
        email,
        passwordHash: unusable,
      },
      now,
    )
    if (user === undefined) continue
    await markEmailConfirmed(tx, user.id, now)
    return { ...user, emailConfirmed: true }
  }
  throw new Problem('user_exists')
}
