import { randomBytes } from 'node:crypto'
import { limits } from '@millseal/contract'
import { Secret } from '../../../lib/secret.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Audit } from '../../../ports/audit/audit.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database, Transaction } from '../../../ports/database/database.ts'
import { grantOperator, hasUsers } from './operators.store.ts'
import { hashPassword } from '../account/password.ts'
import { findUserByLogin, insertUser, type StoredUser } from '../account/users.store.ts'

export type WantedOperator = { readonly email: string; readonly username?: string }

export type MadeOperator = {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly outcome: 'created' | 'promoted' | 'unchanged'
  /** Absent where the person goes on using the password they have. */
  readonly password?: Secret
}

/** What is asked for cannot be; the message is for whoever typed the command. */
class OperatorRefused extends Error {
  override readonly name = 'OperatorRefused'
}

type Dependencies = { readonly database: Database; readonly clock: Clock; readonly audit: Audit }

/** Makes a person an operator of the platform: a new account, or one that exists. */
export const makeOperator =
  ({ database, clock, audit }: Dependencies) =>
  async (wanted: WantedOperator): Promise<MadeOperator> => {
    const password = new Secret(randomBytes(18).toString('base64url'))
    const passwordHash = await hashPassword(password)
    return database.transaction(async (tx) => {
      const found = await findUserByLogin(tx, wanted.email)
      const made =
        found === undefined
          ? await create(tx, wanted, passwordHash, clock.now())
          : await promote(tx, found, passwordHash, clock.now())
      await audit.write(tx, {
        actor: 'command',
        action: 'users.make_operator',
        subject: `user:${made.id}`,
        details: { outcome: made.outcome, passwordReplaced: made.hasNewPassword },
      })
      const { hasNewPassword, ...operator } = made
      return hasNewPassword ? { ...operator, password } : operator
    })
  }

/** Of an installation nobody has set up yet: otherwise nobody could verify the first company. */
export const makeFirstOperator = async (deps: Dependencies): Promise<MadeOperator | undefined> =>
  (await hasUsers(deps.database.query))
    ? undefined
    : makeOperator(deps)({ email: 'operator@millseal.localhost' })

type Made = Omit<MadeOperator, 'password'> & { readonly hasNewPassword: boolean }

const create = async (
  tx: Transaction,
  { email, username = usernameFrom(email) }: WantedOperator,
  passwordHash: string,
  nowMs: number,
): Promise<Made> => {
  const now = new Date(nowMs)
  const user = await insertUser(tx, { id: uuidv7(nowMs), username, email, passwordHash }, now)
  if (user === undefined) {
    throw new OperatorRefused(`the username ${username} is taken; choose another with --username`)
  }
  await grantOperator(tx, { userId: user.id }, now)
  return { id: user.id, username, email, outcome: 'created', hasNewPassword: true }
}

/** An address that nobody confirmed may have been registered by anybody: that password must not become an operator's. */
const promote = async (
  tx: Transaction,
  user: StoredUser,
  passwordHash: string,
  nowMs: number,
): Promise<Made> => {
  if (user.status !== 'active') throw new OperatorRefused(`the user ${user.username} is not active`)
  const hasNewPassword = !user.emailConfirmed
  await grantOperator(tx, { userId: user.id, ...(hasNewPassword ? { passwordHash } : {}) }, new Date(nowMs))
  const outcome = user.role === 'ADMIN' ? 'unchanged' : 'promoted'
  return { id: user.id, username: user.username, email: user.email, outcome, hasNewPassword }
}

const usernameFrom = (email: string): string => {
  const [local = ''] = email.split('@')
  const { minLength, maxLength } = limits.username
  return (local.length < minLength ? `operator-${local}` : local).slice(0, maxLength)
}
