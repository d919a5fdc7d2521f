import type { MemberRole } from '@millseal/contract'
import type { CompanyMembers } from '../../../ports/database/tables.ts'

type StoredRole = { readonly role: CompanyMembers['role']; readonly duty: CompanyMembers['duty'] }

/** Processes of the release before know three roles, and see clerks and approvers as operators. */
export const storedRole = (role: MemberRole): StoredRole =>
  role === 'clerk' || role === 'approver' ? { role: 'operator', duty: role } : { role, duty: null }

export const readRole = ({ role, duty }: StoredRole): MemberRole =>
  role === 'operator' && duty !== null ? duty : role
