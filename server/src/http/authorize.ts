import { hasRightsOf, type MemberRole, type Mode, memberRoleOf, type Operation } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { Problem } from '../lib/problem.ts'
import type { Principal } from './principal.ts'

/** The caller's relation to the company of the call. */
export type Standing = {
  readonly verified: boolean
  /** Undefined for people who are not members, and for machines: those have scopes instead. */
  readonly role: MemberRole | undefined
}

export type Facts = {
  readonly operation: Operation
  readonly principal: Principal | undefined
  /** The company of the call; undefined if the call concerns none. */
  readonly companyId: string | undefined
  /** Undefined if the company does not exist. */
  readonly standing: Standing | undefined
  /** The mode of the call; undefined if it has none or takes it from the record. */
  readonly mode: Mode | undefined
  /** Whether operators of the service need two factors for operations that say so. */
  readonly operatorsNeedMfa: boolean
}

/**
 * Decides by role, kind of token, scope, mode and company, and denies by default. Nothing else decides access. Throws
 * the first reason for a refusal.
 */
export const authorize = ({ operation, principal, companyId, standing, mode, ...facts }: Facts): void => {
  if (operation.access !== 'user' && operation.access !== 'bearer') return
  if (principal === undefined) throw new Problem('unauthenticated')
  assertKind(operation, principal)
  if (operation.twoFactors === true && facts.operatorsNeedMfa) assertTwoFactors(principal)
  assertScope(operation, principal)
  if (companyId !== undefined) assertCompany(operation, principal, companyId, standing?.role)
  if (mode === undefined) return
  assertMode(principal, mode)
  if (operation.liveGate === true) assertLive(principal, standing, mode)
}

/** Also asked before a large body is read. */
export const assertKind = (operation: Operation, principal: Principal): void => {
  if (operation.access === 'user' && principal.kind !== 'user') throw new Problem('person_required')
  if (operation.admin === true && !isOperator(principal)) throw new Problem('role_missing')
}

/** Only machines need scopes: people have roles. */
const assertScope = ({ scope }: Operation, principal: Principal): void => {
  if (scope !== undefined) assertScopes(principal, scope)
}

/** One of them is enough. */
export const assertScopes = (principal: Principal, scopes: NonNullable<Operation['scope']>): void => {
  if (principal.kind === 'user') return
  const needed = scopes.map(({ resource, action }) => `${resource}:${action}`)
  if (needed.some((pair) => principal.scopes.has(pair))) return
  throw new Problem('scope_missing', { reasons: [because('needs_scope', { scopes: needed.join(' or ') })] })
}

const assertCompany = (
  operation: Operation,
  principal: Principal,
  companyId: string,
  role: MemberRole | undefined,
): void => {
  if (principal.kind !== 'user') {
    if (principal.companyId !== companyId) throw foreign(operation)
    return
  }
  if (role === undefined) {
    if (isOperator(principal) && operation.method === 'GET' && operation.company === undefined) return
    throw foreign(operation)
  }
  const needed = memberRoleOf(operation)
  if (needed !== undefined && !hasRightsOf(role, needed)) {
    throw new Problem('member_role_missing', {
      reasons: [because('needs_role', { needed, role })],
    })
  }
}

/** For a company in the path, the answer must not reveal whether the company exists. */
const foreign = (operation: Operation): Problem =>
  new Problem(operation.company === undefined ? 'not_found' : 'company_foreign')

/** A machine acts only in the mode of its token. */
export const assertMode = (principal: Principal, mode: Mode): void => {
  if (principal.kind !== 'user' && principal.mode !== mode) throw new Problem('mode_mismatch')
}

/** The session decides, not the account: it may have been opened before the account had a second factor. */
export const assertTwoFactors = (principal: Principal): void => {
  if (principal.kind !== 'user' || principal.acr === '2fa') return
  throw new Problem('mfa_required', {
    reasons: principal.hasMfa ? [because('session_has_one_factor')] : [],
  })
}

/** Live resources require a verified company, and two factors of people. */
export const assertLive = (principal: Principal, standing: Standing | undefined, mode: Mode): void => {
  const missing = missingForLive(principal, standing, mode)
  if (missing === 'mfa_required') assertTwoFactors(principal)
  if (missing !== undefined) throw new Problem(missing)
}

export const missingForLive = (
  principal: Principal,
  standing: Standing | undefined,
  mode: Mode,
): 'company_unverified' | 'mfa_required' | undefined => {
  if (mode !== 'live') return undefined
  if (standing?.verified !== true) return 'company_unverified'
  return principal.kind === 'user' && principal.acr !== '2fa' ? 'mfa_required' : undefined
}

export const isOperator = (principal: Principal): boolean =>
  principal.kind === 'user' && principal.role === 'ADMIN'
