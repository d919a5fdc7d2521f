import { Problem } from '../../lib/problem.ts'
import type { Secret } from '../../lib/secret.ts'
import type { UserRoomDependencies } from './index.ts'
import { isPasswordOf } from './password.ts'
import { findUserByLogin, type StoredUser } from './users.store.ts'

export type Credentials = {
  /** User name or e-mail address. */
  readonly login: string
  readonly password: Secret
}

/**
 * The user these credentials belong to. Whether the name or the password was wrong is told to nobody and takes equally
 * long; the state of an account is told only to who knows its password.
 */
export const signIn =
  ({ database }: Pick<UserRoomDependencies, 'database'>) =>
  async ({ login, password }: Credentials): Promise<StoredUser> => {
    const user = await findUserByLogin(database.query, login)
    if (!(await isPasswordOf(user, password)) || user === undefined) throw new Problem('credentials_wrong')
    if (user.status !== 'active') throw new Problem('user_inactive')
    if (!user.emailConfirmed) throw new Problem('email_unconfirmed')
    return user
  }
