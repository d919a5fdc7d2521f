import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import { isPasswordOf } from '../account/password.ts'
import { findUserByLogin, type StoredUser } from '../account/users.store.ts'
import type { Factor, UserDependencies } from '../dependencies.ts'
import { assertSecondFactor } from './second-factor.ts'

export type Credentials = {
  /** Username or e-mail address. */
  readonly login: string
  readonly password: Secret
  /** From an authenticator, or the recovery code. Required if MFA is enabled. */
  readonly code?: Secret
  /** For the audit log. */
  readonly ipAddress?: string
}

/**
 * An unknown user and a wrong password give the same answer in the same time. Only callers with the right password learn
 * the state of the account.
 */
export const checkPassword = async (
  { database }: UserDependencies,
  { login, password }: Pick<Credentials, 'login' | 'password'>,
): Promise<StoredUser> => {
  const user = await findUserByLogin(database.query, login)
  if (!(await isPasswordOf(user, password)) || user === undefined) throw new Problem('credentials_wrong')
  assertMaySignIn(user)
  return user
}

export const assertMaySignIn = (user: StoredUser): void => {
  if (user.status !== 'active') throw new Problem('user_inactive')
  if (user.emailConfirmedAt === null) throw new Problem('email_unconfirmed')
}

export type SignedIn = StoredUser & { readonly factor: Factor | undefined }

/** Only callers with the right password learn that a code is required. */
export const signIn = async (
  deps: UserDependencies,
  { login, password, code, ipAddress }: Credentials,
): Promise<SignedIn> => {
  const user = await checkPassword(deps, { login, password })
  const factor = await assertSecondFactor(deps, { userId: user.id, ipAddress }, code)
  return { ...user, factor }
}
