import type { Company, MemberRole } from '@millseal/contract'
import type { Principal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { lockCompany, saveCompany, type StoredCompany } from '../companies/companies.store.ts'
import { tellOfCompany } from '../companies/company-news.ts'
import { toCompanyResponse } from '../companies/company-response.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findMembers, type StoredMember } from './members.store.ts'

export type MemberCaller = {
  readonly companyId: string
  readonly principal: Principal
  readonly ip: string
}

export type Changed = { readonly audited: string; readonly userId: string; readonly role?: MemberRole }

export type ChangeMembers = (
  tx: Transaction,
  caller: MemberCaller,
  change: (members: readonly StoredMember[]) => Promise<Changed>,
) => Promise<{ company: Company; members: readonly StoredMember[] }>

/**
 * Carries out a change of who belongs to a company while nobody else can: of two admins who demote each other the
 * second is refused. Whatever the change was, an admin remains, and the owner is one.
 */
export const changeMembers =
  (deps: Pick<UserDependencies, 'clock' | 'outbox' | 'audit'>): ChangeMembers =>
  async (tx, { companyId, principal, ip }, change) => {
    const company = await lockCompany(tx, companyId)
    if (company === undefined) throw new Problem('not_found')
    const { audited, ...details } = await change(await findMembers(tx, [companyId]))
    const members = await findMembers(tx, [companyId])
    const now = new Date(deps.clock.now())
    const after = { ...company, ownerId: ownerAmong(members, company), updatedAt: now }
    await saveCompany(tx, after, now)
    const response = toCompanyResponse(after, members)
    await tellOfCompany(deps)(tx, {
      company: response,
      action: 'update_one',
      audited,
      details: { ...details, ...(after.ownerId === company.ownerId ? {} : { owner: after.ownerId }) },
      principal,
      ip,
    })
    return { company: response, members }
  }

/** The company passes to the admin who has been there longest when its owner no longer is one. */
const ownerAmong = (members: readonly StoredMember[], { ownerId }: StoredCompany): string => {
  const admins = members.filter(({ role }) => role === 'admin').map(({ user }) => user.id)
  const owner = admins.find((id) => id === ownerId) ?? admins[0]
  if (owner === undefined) throw new Problem('last_admin')
  return owner
}

/** The role as it is now that the company is held: it may have changed since the call was let in. */
export const assertAdmin = (members: readonly StoredMember[], principal: Principal): void => {
  const own = members.find(({ user }) => user.id === principal.id)
  if (own === undefined) throw new Problem('not_found')
  if (own.role === 'admin') return
  throw new Problem('member_role_missing', {
    details: [`Needs the role admin, the caller is ${own.role}`],
  })
}
