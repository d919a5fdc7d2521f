import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import type { UserDependencies } from '../dependencies.ts'
import { isPasswordOf } from '../account/password.ts'
import { assertSecondFactor } from './second-factor.ts'
import { findUserByLogin, type StoredUser } from '../account/users.store.ts'

export type Credentials = {
  /** User name or e-mail address. */
  readonly login: string
  readonly password: Secret
  /** Of an authenticator, or a recovery code; once MFA is enabled. */
  readonly code?: Secret
  /** Where the attempt comes from, for the audit log. */
  readonly ipAddress?: string
}

/**
 * The user a password belongs to. Whether the name or the password was wrong is told to nobody and takes equally long;
 * the state of an account is told only to who knows its password.
 */
export const checkPassword =
  ({ database }: Pick<UserDependencies, 'database'>) =>
  async ({ login, password }: Pick<Credentials, 'login' | 'password'>): Promise<StoredUser> => {
    const user = await findUserByLogin(database.query, login)
    if (!(await isPasswordOf(user, password)) || user === undefined) throw new Problem('credentials_wrong')
    if (user.status !== 'active') throw new Problem('user_inactive')
    if (!user.emailConfirmed) throw new Problem('email_unconfirmed')
    return user
  }

/** The user these credentials belong to; that a code is asked for is told only to who knows the password. */
export const signIn = (
  deps: Pick<UserDependencies, 'database' | 'keystore' | 'clock' | 'audit' | 'jobs'>,
) => {
  const check = checkPassword(deps)
  const assertCode = assertSecondFactor(deps)
  return async ({ login, password, code, ipAddress }: Credentials): Promise<StoredUser> => {
    const user = await check({ login, password })
    await assertCode({ userId: user.id, ...(ipAddress === undefined ? {} : { ipAddress }) }, code)
    return user
  }
}
