import { randomBytes } from 'node:crypto'
import { limits } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { deleteLinksOf } from '../users/links.store.ts'
import { hashPassword } from '../users/password.ts'
import { notify } from '../mailing/security-notice.ts'
import { lockUser, savePassword } from '../users/user-changes.store.ts'
import {
  findUser,
  findUserByLogin,
  insertUser,
  markEmailConfirmed,
  type StoredUser,
} from '../users/users.store.ts'
import { usernameFrom } from '../users/username.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findUserIdOfSubject, insertIssuerLink, lockSubject } from './issuers.store.ts'

/** What an external issuer says about a person. */
export type IssuerClaims = {
  readonly issuer: string
  readonly subject: string
  readonly email: string | undefined
  readonly emailVerified: boolean
  readonly name: string | undefined
  readonly ipAddress: string
}

/**
 * The first sign-in matches the verified e-mail address; later ones match only the issuer's subject. Addresses can be
 * given to another person, subjects cannot.
 */
export const findOrCreateByIssuer = async (
  deps: UserDependencies,
  claims: IssuerClaims,
): Promise<StoredUser> => {
  // Nobody knows this password: a user created here has none until they set one.
  const randomPasswordHash = await hashPassword(new Secret(randomBytes(32).toString('base64url')))
  return deps.database.transaction(async (tx) => {
    await lockSubject(tx, claims)
    const knownId = await findUserIdOfSubject(tx, claims)
    const known = knownId === undefined ? undefined : await findUser(tx, knownId)
    const user = known ?? (await linkFirst(deps, tx, { claims, randomPasswordHash }))
    if (user.status !== 'active') throw new Problem('user_inactive')
    return user
  })
}

type FirstSignIn = { readonly claims: IssuerClaims; readonly randomPasswordHash: string }

const linkFirst = async (
  deps: UserDependencies,
  tx: Transaction,
  first: FirstSignIn,
): Promise<StoredUser> => {
  const { issuer, subject, ipAddress } = first.claims
  const now = new Date(deps.clock.now())
  const email = verifiedEmail(first.claims)
  const found = await findUserByLogin(tx, email)
  const existing = found === undefined ? undefined : await lockUser(tx, found.id)
  const user = existing ?? (await createUser(tx, { ...first, email }, now))
  if (existing?.emailConfirmedAt === null) {
    // Somebody else may have registered this address: their password must stop working.
    const passwordHash = first.randomPasswordHash
    await savePassword(tx, { id: user.id, passwordHash, isEmailProven: true }, now)
    await deleteLinksOf(tx, user.id, ['confirm_email', 'confirm_new_email', 'reset_password'])
  }
  if (!(await insertIssuerLink(tx, { issuer, subject, userId: user.id, createdAt: now }))) {
    throw new Problem('user_exists')
  }
  if (existing !== undefined && existing.emailConfirmedAt !== null) {
    await notify(deps, tx, { userId: user.id, notice: 'issuer_linked' })
  }
  await deps.audit.write(tx, {
    actor: `user:${user.id}`,
    action: existing === undefined ? 'users.register' : 'users.link_issuer',
    subject: `user:${user.id}`,
    ipAddress,
    details: { issuer },
  })
  return user
}

const verifiedEmail = ({ email, emailVerified }: IssuerClaims): string => {
  const isUsable =
    email !== undefined &&
    email.length <= limits.email.maxLength &&
    /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(email)
  if (!emailVerified || !isUsable) throw new Problem('email_unconfirmed')
  return email
}

const attempts = 5

/** The username is the name from the issuer or the local part of the address, with a random suffix if it is not free. */
const createUser = async (
  tx: Transaction,
  { claims, email, randomPasswordHash }: FirstSignIn & { readonly email: string },
  now: Date,
): Promise<StoredUser> => {
  const wanted = claims.name ?? email.split('@', 1)[0] ?? ''
  const { name, isFree } = await usernameFrom(tx, wanted.slice(0, limits.username.maxLength - 9))
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const isPlain = attempt === 0 && name.length >= limits.username.minLength && isFree
    const username = isPlain ? name : `${name}-${randomBytes(4).toString('hex')}`
    const entry = { id: uuidv7(now.getTime()), username, email, passwordHash: randomPasswordHash }
    const user = await insertUser(tx, entry, now)
    if (user === undefined) continue
    await markEmailConfirmed(tx, user.id, now)
    return { ...user, emailConfirmedAt: now }
  }
  throw new Problem('user_exists')
}
