import { type MemberRole, type Mode, memberRoleOf, type Operation } from '@millseal/contract'
import { Problem } from '../lib/problem.ts'
import type { Principal } from './principal.ts'

/** How a caller stands to the company a call is about. */
export type Standing = {
  readonly companyId: string
  readonly verified: boolean
  /** None for who is not a member; applications act with the role of their scopes instead. */
  readonly role: MemberRole | undefined
}

export type Facts = {
  readonly operation: Operation
  readonly principal: Principal | undefined
  /** The company the call is about; undefined where it is about none. */
  readonly standing: Standing | undefined
  /** The mode the call acts in; undefined where it has none, or where only the record will tell. */
  readonly mode: Mode | undefined
}

const ranks: Readonly<Record<MemberRole, number>> = { read_only: 0, operator: 1, admin: 2 }

/**
 * Deny by default: role × kind of token × scope × mode × company, decided here and nowhere else. Throws the first thing
 * that stands in the way.
 */
export const authorize = ({ operation, principal, standing, mode }: Facts): void => {
  if (operation.access !== 'user' && operation.access !== 'bearer') return
  if (principal === undefined) throw new Problem('unauthenticated')
  assertKind(operation, principal)
  assertScope(operation, principal)
  assertCompany(operation, principal, standing)
  if (mode === undefined) return
  assertMode(principal, mode)
  if (operation.liveGate === true) assertLive(principal, standing, mode)
}

const assertKind = (operation: Operation, principal: Principal): void => {
  if (operation.access === 'user' && principal.kind !== 'user') throw new Problem('person_required')
  if (operation.admin === true && !isOperator(principal)) throw new Problem('role_missing')
}

/** Asked of machines; what a person may do follows from roles. */
const assertScope = (operation: Operation, principal: Principal): void => {
  if (operation.scope === undefined || principal.kind === 'user') return
  const needed = operation.scope.map(({ resource, action }) => `${resource}:${action}`)
  if (needed.some((pair) => principal.scopes.has(pair))) return
  throw new Problem('scope_missing', { details: [`Needs the scope ${needed.join(' or ')}`] })
}

const assertCompany = (operation: Operation, principal: Principal, standing: Standing | undefined): void => {
  if (standing === undefined) return
  if (principal.kind !== 'user') {
    if (principal.companyId !== standing.companyId) throw foreign(operation)
    return
  }
  if (standing.role === undefined) {
    if (isOperator(principal) && operation.method === 'GET' && operation.company === undefined) return
    throw foreign(operation)
  }
  const needed = memberRoleOf(operation)
  if (needed !== undefined && ranks[standing.role] < ranks[needed]) {
    throw new Problem('member_role_missing', {
      details: [`Needs the role ${needed}, the caller is ${standing.role}`],
    })
  }
}

/** A company named in the header is known to the caller; one named by a path must not be told apart from none. */
const foreign = (operation: Operation): Problem =>
  new Problem(operation.company === undefined ? 'not_found' : 'company_foreign')

/** Machines act in the mode of their token only. */
export const assertMode = (principal: Principal, mode: Mode): void => {
  if (principal.kind !== 'user' && principal.mode !== mode) throw new Problem('mode_mismatch')
}

/** Live resources require a verified company and, for persons, MFA. */
export const assertLive = (principal: Principal, standing: Standing | undefined, mode: Mode): void => {
  const missing = missingForLive(principal, standing, mode)
  if (missing !== undefined) throw new Problem(missing)
}

export const missingForLive = (
  principal: Principal,
  standing: Standing | undefined,
  mode: Mode,
): 'company_unverified' | 'mfa_required' | undefined => {
  if (mode !== 'live') return undefined
  if (standing?.verified !== true) return 'company_unverified'
  return principal.kind === 'user' && !principal.hasMfa ? 'mfa_required' : undefined
}

const isOperator = (principal: Principal): boolean => principal.kind === 'user' && principal.role === 'ADMIN'
