import { type ErrorCode, errors } from './errors.ts'
import type { Action, Operation } from './operation.ts'
import { operations } from './operations/index.ts'
import type { MemberRole, Method } from './vocabulary.ts'

/** Facts that follow from the declaration of an operation. */

const everyOperation: readonly Operation[] = Object.values(operations)

/** All paths of an operation without `/api`, parameters as `{name}`; the documented one first. */
export const addresses = (operation: Operation): readonly string[] => [
  operation.path,
  ...(operation.aliases ?? []),
]

/** The documented method first. */
export const methodsOf = (operation: Operation): readonly Method[] => [
  operation.method,
  ...(operation.alsoMethods ?? []),
]

export const actionsOf = (operation: Operation): readonly Action[] =>
  operation.scope ?? (operation.action ? [operation.action] : [])

/** The ids of all operations without an access token: `public` and `link`. */
export const publicOperations: readonly string[] = everyOperation
  .filter(({ access }) => access === 'public' || access === 'link')
  .map(({ id }) => id)

export const honoursIdempotencyKey = (operation: Operation): boolean =>
  operation.method === 'POST' && operation.idempotency !== 'repeatable'

/** Undefined if the call does not concern a company. */
export const memberRoleOf = (operation: Operation): MemberRole | undefined => {
  if (operation.memberRole) return operation.memberRole
  if (!operation.company) return undefined
  return operation.method === 'GET' ? 'read_only' : 'admin'
}

const accessErrors = (operation: Operation): ErrorCode[] => {
  const { access, scope, admin } = operation
  if (access === 'public') return []
  if (access === 'link') return ['link_invalid']
  const codes: ErrorCode[] = ['unauthenticated', 'token_invalid', 'token_expired']
  if (access === 'user') codes.push('person_required')
  if (access === 'bearer' && scope) codes.push('scope_missing')
  if (admin) codes.push('role_missing')
  return codes
}

const companyErrors = (operation: Operation): ErrorCode[] => {
  const { access, company, mode, liveGate } = operation
  const codes: ErrorCode[] = []
  if (company === 'required') codes.push('company_header_missing')
  if (company) codes.push('company_foreign')
  if (memberRoleOf(operation)) codes.push('member_role_missing')
  if (access === 'bearer' && mode) codes.push('mode_mismatch')
  if (liveGate) codes.push('company_unverified', 'mfa_required')
  return codes
}

const inputErrors = (operation: Operation): ErrorCode[] => {
  const { access, params, query, body, company, mode, list } = operation
  const codes: ErrorCode[] = []
  const takesValues = params || query || body || company || list || mode === 'query'
  if (takesValues || honoursIdempotencyKey(operation)) codes.push('validation_failed')
  if (params) codes.push('malformed_url')
  if (params && access !== 'public') codes.push('not_found')
  if (!body) return codes
  codes.push('body_too_large', 'media_type_unsupported')
  if (body.kind !== 'form') codes.push('malformed_json')
  if (body.kind === 'document') codes.push('malformed_multipart')
  return codes
}

/** Every error of an operation except `plumbingErrors`, by status, then in the order of the catalogue. */
export const impliedErrors = (operation: Operation): readonly ErrorCode[] => {
  const codes = new Set<ErrorCode>([
    ...(operation.errors ?? []),
    ...accessErrors(operation),
    ...companyErrors(operation),
    ...inputErrors(operation),
    'version_unknown',
    'internal',
    'unavailable',
  ])
  if (honoursIdempotencyKey(operation)) codes.add('idempotency_running').add('idempotency_mismatch')
  if (operation.limit?.perMinute !== 'unlimited') codes.add('rate_limited')
  const catalogue = Object.keys(errors)
  return [...codes].toSorted(
    (one, other) =>
      errors[one].status - errors[other].status || catalogue.indexOf(one) - catalogue.indexOf(other),
  )
}
