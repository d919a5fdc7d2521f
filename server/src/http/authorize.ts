import type { Operation } from '@millseal/contract'
import { Problem } from '../lib/problem.ts'
import type { Principal } from './principal.ts'

/** Deny by default: whether this caller may perform this operation at all. Throws what stands in the way. */
export const authorize = (operation: Operation, principal: Principal | undefined): void => {
  if (operation.access !== 'user' && operation.access !== 'bearer') return
  if (principal === undefined) throw new Problem('unauthenticated')
  if (operation.access === 'user' && principal.kind !== 'user') {
    throw new Problem('person_required')
  }
  if (operation.admin === true && !(principal.kind === 'user' && principal.role === 'ADMIN')) {
    throw new Problem('role_missing')
  }
  if (operation.scope === undefined || principal.kind === 'user') return
  const needed = operation.scope.map(({ resource, action }) => `${resource}:${action}`)
  if (!needed.some((pair) => principal.scopes.has(pair))) {
    throw new Problem('scope_missing', { details: [`Needs the scope ${needed.join(' or ')}`] })
  }
}
