import type { MemberRole } from '@millseal/contract'
import type { CompanyMembers } from '../../../ports/database/tables.ts'

type StoredRole = Readonly<Pick<CompanyMembers, 'role' | 'duty'>>

/** Processes of the release before know three roles, and see a clerk as an operator. */
export const storedRole = (role: MemberRole): StoredRole =>
  role === 'clerk' ? { role: 'operator', duty: role } : { role, duty: null }

export const readRole = ({ role, duty }: StoredRole): MemberRole =>
  role === 'operator' && duty === 'clerk' ? duty : role
