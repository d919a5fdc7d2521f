import { type Operation, operations } from '@millseal/contract'
import { type Side, settle } from '../belongings.ts'
import { newOwner, type Owner } from '../machines.ts'
import { password, signUpOperator } from '../people.ts'
import type { TestServer } from '../test-server.ts'

/** Who calls an operation, and with which records. */
export type Caller = {
  readonly token: string
  readonly company: string
  readonly vatId: string
  /** By the name of the path parameter, or by the first word of the path. */
  readonly ids: Readonly<Record<string, string>>
}

/** Change the rights of a token or a record that other operations need, so they have a company of their own. */
const spoiling = [
  'access_tokens.revoke',
  'access_tokens.update',
  'applications.delete',
  'applications.rotate_secret',
  'applications.update',
  'identities.revoke',
  'mfa.confirm_totp',
  'mfa.create_totp',
  'mfa.delete_totp',
  'mfa.regenerate_recovery_codes',
  'mfa.create_passkey',
  'mfa.delete_passkey',
  'wallets.wipe',
]

/** End the session or the company of their caller, so each has a person of its own. */
const final = [
  'auth.logout',
  'companies.delete',
  'companies.review',
  'members.remove',
  'members.remove_by_email',
  'members.update',
  'sessions.end',
  'sessions.end_all',
  'users.change_password',
  'users.delete',
  'users.update',
]

/** Applications have a mode, and mail hooks do not: a token of the other mode would be refused. */
const ofPeople = ['mailhooks', 'mails']

const firstWord = ({ path }: Operation): string => path.split('/')[1] ?? ''

const asCaller = (side: Side, operation: Operation): Caller => {
  const isForMachines =
    operation.access === 'bearer' && operation.scope !== undefined && !ofPeople.includes(firstWord(operation))
  return {
    token: (isForMachines ? side.machines[0] : undefined) ?? side.person.accessToken,
    company: side.company.id,
    vatId: side.company.vatId,
    ids: side.ids,
  }
}

const asLeaver = async (server: TestServer, { admin, company }: Owner): Promise<Caller> => {
  const client = server.client(admin.accessToken)
  // The session to end is not the one that asks.
  await server.client().login({ body: { username: admin.username, password } })
  const sessions = await client.listSessions()
  return {
    token: admin.accessToken,
    company: company.id,
    vatId: company.vatId,
    ids: { companies: company.id, users: admin.id, sessions: sessions.at(-1)?.id ?? '' },
  }
}

/** The callers of all operations. */
export const prepareCallers = async (
  server: TestServer,
): Promise<{
  readonly main: Side
  readonly callerOf: (operation: Operation) => Caller
  /** One company, for calls that build on each other. */
  readonly ownerOf: (operation: Operation) => Caller
}> => {
  const main = await settle(server, 'judged-mill')
  const spare = await settle(server, 'spare-mill')
  const operator = await signUpOperator(server)
  const leavers = new Map<string, Caller>()
  for (const id of final)
    leavers.set(id, await asLeaver(server, await newOwner(server, `leaver-${leavers.size}`)))
  for (const id of [...spoiling, ...final])
    if (!Object.values<Operation>(operations).some((operation) => operation.id === id))
      throw new Error(`There is no operation ${id}`)
  const callerOf = (operation: Operation): Caller => {
    const side = spoiling.includes(operation.id) ? spare : main
    const caller = leavers.get(operation.id) ?? asCaller(side, operation)
    return operation.admin === true ? { ...caller, token: operator.accessToken } : caller
  }
  return { main, callerOf, ownerOf: (operation) => asCaller(main, operation) }
}
