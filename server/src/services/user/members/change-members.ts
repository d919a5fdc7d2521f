import type { Company, MemberRole } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Actor } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { lockCompany, type StoredCompany, updateCompanyRow } from '../companies/companies.store.ts'
import { recordCompanyChange } from '../companies/company-changes.ts'
import { toCompanyResponse } from '../companies/company-response.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findMembers, type StoredMember } from '../companies/members.store.ts'

export type MemberCaller = {
  readonly companyId: string
  readonly principal: Actor
  readonly ip: string
}

export type MemberChange = {
  readonly auditAction: string
  readonly userId: string
  readonly role?: MemberRole
  /** The invitation that was accepted. */
  readonly invitationId?: string
}

/**
 * Changes the members of a company while it is locked: if two admins demote each other, the second call fails.
 * Afterwards the company still has an admin, and its owner is one.
 */
export const changeMembers = async (
  deps: UserDependencies,
  tx: Transaction,
  { companyId, principal, ip }: MemberCaller,
  change: (members: readonly StoredMember[]) => Promise<MemberChange>,
): Promise<{ company: Company; members: readonly StoredMember[] }> => {
  const before = await lockCompany(tx, companyId)
  if (before === undefined) throw new Problem('not_found')
  const { auditAction, ...details } = await change(await findMembers(tx, [companyId]))
  const members = await findMembers(tx, [companyId])
  const ownerId = ownerAmong(members, before)
  const after = await updateCompanyRow(
    tx,
    { id: companyId, changes: { ownerId } },
    new Date(deps.clock.now()),
  )
  const company = toCompanyResponse(after, members)
  await recordCompanyChange(deps, tx, {
    company,
    action: 'update_one',
    auditAction,
    details: { ...details, owner: ownerId === before.ownerId ? undefined : ownerId },
    principal,
    ip,
  })
  return { company, members }
}

/** If the owner is no longer an admin, the longest-standing admin becomes the owner. */
const ownerAmong = (members: readonly StoredMember[], { ownerId }: StoredCompany): string => {
  const admins = members.filter(({ memberRole }) => memberRole === 'admin').map(({ id }) => id)
  const owner = admins.find((id) => id === ownerId) ?? admins[0]
  if (owner === undefined) throw new Problem('last_admin')
  return owner
}

/** Checks the role again under the lock: it may have changed since the call was authorized. */
export const assertAdmin = (members: readonly StoredMember[], principal: Actor): void => {
  const own = members.find(({ id }) => id === principal.id)
  if (own === undefined) throw new Problem('not_found')
  if (own.memberRole === 'admin') return
  throw new Problem('member_role_missing', {
    reasons: [because('needs_role', { needed: 'admin', role: own.memberRole })],
  })
}
