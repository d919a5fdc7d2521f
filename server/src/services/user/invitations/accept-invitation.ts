import type { AcceptInvitation, Member, OpenInvitation, operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { type MailLanguage, preferredLanguage } from '../../../lib/mail-languages.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { hashLinkToken } from '../users/link-token.ts'
import { deleteLinksOf } from '../users/links.store.ts'
import { assertAcceptablePassword, hashPassword } from '../users/password.ts'
import { notify } from '../mailing/security-notice.ts'
import { lockUser, savePassword } from '../users/user-changes.store.ts'
import { acceptableUsername, assertDistinctUsername } from '../users/username.ts'
import { findUserByLogin, insertUser, markEmailConfirmed, type StoredUser } from '../users/users.store.ts'
import { findCompanies } from '../companies/companies.store.ts'
import { toMemberResponse } from '../companies/company-response.ts'
import type { UserDependencies } from '../dependencies.ts'
import { changeMembers } from '../members/change-members.ts'
import { insertMember } from '../companies/members.store.ts'
import { readRole } from '../companies/stored-role.ts'
import {
  endInvitation,
  findInvitationByLink,
  lockOpenInvitation,
  type StoredInvitation,
} from './invitations.store.ts'

export const readInvitationByLink = async (
  deps: UserDependencies,
  { query }: Pick<Call<typeof operations.readInvitationByLink>, 'query'>,
): Promise<OpenInvitation> => {
  const invitation = await requireInvitation(deps, query.token)
  const { companyId, address, inviterUsername, expiresAt } = invitation
  const [company] = await findCompanies(deps.database.query, { id: companyId })
  if (company === undefined) throw new Problem('link_invalid')
  return {
    company: { name: company.name, vatId: company.vatId, verified: company.verifiedAt !== null },
    invitedBy: inviterUsername,
    email: address,
    role: readRole(invitation),
    expiresAt: expiresAt.toISOString(),
    account: accountState(await findUserByLogin(deps.database.query, address)),
  }
}

/** The link proves the address. A person who registered it without a proof must not become a member: see `prove`. */
export const acceptInvitation = async (
  deps: UserDependencies,
  {
    query,
    body,
    client,
    sentHeaders,
    commit,
  }: Pick<Call<typeof operations.acceptInvitation>, 'query' | 'body' | 'client' | 'sentHeaders' | 'commit'>,
): Promise<Member> => {
  const invitation = await requireInvitation(deps, query.token)
  const { id, companyId } = invitation
  const role = readRole(invitation)
  const found = await findUserByLogin(deps.database.query, invitation.address)
  const account = await accountOf(deps, body, { invitation, user: found })
  const language = preferredLanguage(sentHeaders['accept-language'])
  return commit(async (tx) => {
    const now = new Date(deps.clock.now())
    const userId = found?.id ?? uuidv7(now.getTime())
    const principal = { kind: 'user', id: userId } as const
    const { members } = await changeMembers(
      deps,
      tx,
      { companyId, principal, ip: client.ip },
      async (before) => {
        if ((await lockOpenInvitation(tx, id, now)) === undefined) throw new Problem('link_invalid')
        if (before.some((member) => member.id === userId)) throw new Problem('member_exists')
        await prove(deps, tx, { ...account, id: userId, email: invitation.address, language }, now)
        if (!(await insertMember(tx, { companyId, userId, role }, now))) throw new Problem('link_invalid')
        await endInvitation(tx, id, { acceptedAt: now })
        return { auditAction: 'invitations.accept', userId, role, invitationId: id }
      },
    )
    const member = members.find((one) => one.id === userId)
    if (member === undefined) throw new Problem('link_invalid')
    return toMemberResponse(member)
  })
}

const requireInvitation = async (
  { database, clock }: UserDependencies,
  token: string,
): Promise<StoredInvitation> => {
  const tokenHash = hashLinkToken(new Secret(token))
  const invitation = await findInvitationByLink(database.query, tokenHash, new Date(clock.now()))
  if (invitation === undefined) throw new Problem('link_invalid')
  return invitation
}

const accountState = (user: StoredUser | undefined): OpenInvitation['account'] => {
  if (user === undefined) return 'none'
  return user.emailConfirmedAt === null ? 'unconfirmed' : 'confirmed'
}

type Account =
  | { readonly state: 'confirmed' }
  | { readonly state: 'unconfirmed'; readonly passwordHash: string }
  | { readonly state: 'none'; readonly username: string; readonly passwordHash: string }

const accountOf = async (
  { database }: UserDependencies,
  { username, password }: AcceptInvitation,
  {
    invitation: { address, companyId },
    user,
  }: { readonly invitation: StoredInvitation; readonly user: StoredUser | undefined },
): Promise<Account> => {
  if (user !== undefined && user.status !== 'active') throw new Problem('user_inactive')
  const state = accountState(user)
  if (state === 'confirmed') return { state }
  const name = user?.username ?? (username && acceptableUsername(username))
  if (name === undefined) throw missing('/username')
  if (password === undefined) throw missing('/password')
  const secret = new Secret(password)
  const [company] = await findCompanies(database.query, { id: companyId })
  const companies = company === undefined ? [] : [company.name]
  await assertAcceptablePassword(secret, { username: name, email: address, companies })
  if (user === undefined) await assertDistinctUsername(database.query, name)
  const passwordHash = await hashPassword(secret)
  return state === 'unconfirmed' ? { state, passwordHash } : { state, username: name, passwordHash }
}

const missing = (field: string): Problem =>
  new Problem('validation_failed', {
    reasons: [because('required_without_account', { place: field })],
  })

/** Creates the account, or takes it from a person who registered the address without a proof. */
const prove = async (
  deps: UserDependencies,
  tx: Transaction,
  account: Account & {
    readonly id: string
    readonly email: string
    readonly language: MailLanguage | undefined
  },
  now: Date,
): Promise<void> => {
  const { id, email } = account
  if (account.state === 'none') {
    const { username, passwordHash, language } = account
    const user = await insertUser(tx, { id, username, email, passwordHash, language }, now)
    if (user === undefined) throw new Problem('user_exists')
    await markEmailConfirmed(tx, id, now)
    return
  }
  const user = await lockUser(tx, id)
  const isSame = user?.email.toLowerCase() === email && accountState(user) === account.state
  if (!isSame || user.status !== 'active') throw new Problem('link_invalid')
  if (account.state === 'confirmed') return
  await savePassword(tx, { id, passwordHash: account.passwordHash, isEmailProven: true }, now)
  await deleteLinksOf(tx, id, ['confirm_email', 'confirm_new_email', 'reset_password'])
  await notify(deps, tx, { userId: id, notice: 'password_changed' })
}
