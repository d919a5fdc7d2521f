import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import { isPasswordOf } from '../users/password.ts'
import { findUserByLogin, type StoredUser } from '../users/users.store.ts'
import type { Factor, UserDependencies } from '../dependencies.ts'
import { assertSecondFactor } from './second-factor.ts'
import {
  acceptPassword,
  assertUnlocked,
  countWrongPassword,
  recordRefusedSignIn,
} from './sign-in-attempts.ts'

export type Credentials = {
  /** Username or e-mail address. */
  readonly login: string
  readonly password: Secret
  /** From an authenticator, or the recovery code. Required if MFA is enabled. */
  readonly code?: Secret
  /** For the audit log, and to count failures. */
  readonly ipAddress: string
}

/**
 * An unknown user and a wrong password give the same answer in the same time, and count alike. Only callers with the right password learn
 * the state of the account.
 */
export const checkPassword = async (
  deps: UserDependencies,
  { login, password, ipAddress }: Omit<Credentials, 'code'>,
): Promise<StoredUser> => {
  const user = await findUserByLogin(deps.database.query, login)
  const attempt = { login, user, ipAddress }
  await assertUnlocked(deps, attempt)
  if (!(await isPasswordOf(user, password)) || user === undefined) {
    await countWrongPassword(deps, attempt)
    throw new Problem('credentials_wrong')
  }
  await acceptPassword(deps, attempt)
  await assertMaySignIn(deps, { user, ipAddress })
  return user
}

export const assertMaySignIn = async (
  deps: UserDependencies,
  by: { readonly user: StoredUser; readonly ipAddress: string },
): Promise<void> => {
  if (by.user.status !== 'active') {
    await recordRefusedSignIn(deps, by, 'inactive')
    throw new Problem('user_inactive')
  }
  if (by.user.emailConfirmedAt === null) {
    await recordRefusedSignIn(deps, by, 'unconfirmed')
    throw new Problem('email_unconfirmed')
  }
}

export type SignedIn = StoredUser & { readonly factor: Factor | undefined }

/** Only callers with the right password learn that a code is required. */
export const signIn = async (
  deps: UserDependencies,
  { login, password, code, ipAddress }: Credentials,
): Promise<SignedIn> => {
  const user = await checkPassword(deps, { login, password, ipAddress })
  const factor = await assertSecondFactor(deps, { userId: user.id, ipAddress }, code)
  return { ...user, factor }
}
