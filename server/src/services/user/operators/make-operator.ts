import { randomBytes } from 'node:crypto'
import { limits } from '@millseal/contract'
import { inEnglish } from '@millseal/contract/reasons'
import { Secret } from '../../../lib/secret.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { hashPassword } from '../users/password.ts'
import { findUserByLogin, insertUser, type StoredUser } from '../users/users.store.ts'
import { faultOfUsername } from '../users/username.ts'
import type { UserDependencies } from '../dependencies.ts'
import { grantOperator } from './operators.store.ts'

export type WantedOperator = { readonly email: string; readonly username?: string }

export type MadeOperator = {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly outcome: 'created' | 'promoted' | 'unchanged'
  /** Undefined if the user keeps the current password. */
  readonly password?: Secret
}

/** The message is shown to the person who ran the command. */
class OperatorRefused extends Error {
  override readonly name = 'OperatorRefused'
}

/** Commands run without the rest of the service. */
type CommandDependencies = Pick<UserDependencies, 'database' | 'clock' | 'audit'>

/** Makes the user with this address an operator. Creates the account if there is none. */
export const makeOperator = async (
  { database, clock, audit }: CommandDependencies,
  wanted: WantedOperator,
): Promise<MadeOperator> => {
  const password = new Secret(randomBytes(18).toString('base64url'))
  const passwordHash = await hashPassword(password)
  return database.transaction(async (tx) => {
    const found = await findUserByLogin(tx, wanted.email)
    const { hasNewPassword, ...operator } =
      found === undefined
        ? await create(tx, wanted, passwordHash, clock.now())
        : await promote(tx, found, passwordHash, clock.now())
    await audit.write(tx, {
      actor: 'command',
      action: 'users.make_operator',
      subject: `user:${operator.id}`,
      details: { outcome: operator.outcome, passwordReplaced: hasNewPassword },
    })
    return { ...operator, password: hasNewPassword ? password : undefined }
  })
}

/** Creates the operator of a new installation: without one, no company could be verified. */
export const makeFirstOperator = async (deps: CommandDependencies): Promise<MadeOperator> =>
  makeOperator(deps, { email: 'operator@millseal.localhost' })

type Made = Omit<MadeOperator, 'password'> & { readonly hasNewPassword: boolean }

const create = async (
  tx: Transaction,
  { email, username = nameFrom(email) }: WantedOperator,
  passwordHash: string,
  nowMs: number,
): Promise<Made> => {
  const now = new Date(nowMs)
  const fault = faultOfUsername(username)
  if (fault !== undefined) throw new OperatorRefused(`the username ${username} ${inEnglish(fault)}`)
  const user = await insertUser(tx, { id: uuidv7(nowMs), username, email, passwordHash }, now)
  if (user === undefined) {
    throw new OperatorRefused(`the username ${username} is taken; choose another with --username`)
  }
  await grantOperator(tx, { userId: user.id, passwordHash: undefined }, now)
  return { id: user.id, username, email, outcome: 'created', hasNewPassword: true }
}

/** Replaces the password if the address is not confirmed: anybody could have registered it. */
const promote = async (
  tx: Transaction,
  user: StoredUser,
  passwordHash: string,
  nowMs: number,
): Promise<Made> => {
  if (user.status !== 'active') throw new OperatorRefused(`the user ${user.username} is not active`)
  const hasNewPassword = user.emailConfirmedAt === null
  const grant = { userId: user.id, passwordHash: hasNewPassword ? passwordHash : undefined }
  await grantOperator(tx, grant, new Date(nowMs))
  const outcome = user.role === 'ADMIN' ? 'unchanged' : 'promoted'
  return { id: user.id, username: user.username, email: user.email, outcome, hasNewPassword }
}

const nameFrom = (email: string): string => {
  const [local = ''] = email.replaceAll(/[^\w.@+-]+/g, '-').split('@')
  const { minLength, maxLength } = limits.username
  return (local.length < minLength ? `operator-${local}` : local).slice(0, maxLength)
}
