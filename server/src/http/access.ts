import { modes, type Mode, type Operation } from '@millseal/contract'
import type { FastifyRequest } from 'fastify'
import { because } from '@millseal/contract/reasons'
import { Problem } from '../lib/problem.ts'
import { authorize, assertLive, assertMode, isOperator, missingForLive, type Standing } from './authorize.ts'
import type { Principal } from './principal.ts'

/** Resolves to undefined if there is no such company. */
export type FindStanding = (companyId: string, principal: Principal) => Promise<Standing | undefined>

export type AccessDependencies = {
  readonly findStanding: FindStanding
  readonly settings: { readonly operatorsNeedMfa: boolean }
}

/** The company and mode of an authorized call. */
export type Access = {
  readonly companyId: string | undefined
  readonly mode: Mode | undefined
  /** For operations whose mode is that of a record: call it as soon as the record is known. */
  readonly assertRecordMode: (mode: Mode) => void
  /** Whether `assertRecordMode` accepts this mode. */
  readonly mayActIn: (mode: Mode) => boolean
}

export const resolveAccess = async (
  operation: Operation,
  request: FastifyRequest,
  { findStanding, settings }: AccessDependencies,
): Promise<Access> => {
  const { principal } = request
  const companyId = principal === undefined ? undefined : companyOf(operation, request, principal)
  const standing =
    companyId === undefined || principal === undefined
      ? operatorStanding(operation, principal)
      : await findStanding(companyId, principal)
  const mode = modeOf(operation, request)
  const { operatorsNeedMfa } = settings
  authorize({ operation, principal, mode, companyId, standing, operatorsNeedMfa })
  if (companyId !== undefined && standing === undefined) throw new Problem('not_found')
  return {
    companyId,
    mode,
    assertRecordMode: (recordMode) => {
      if (principal === undefined) throw new Problem('unauthenticated')
      assertMode(principal, recordMode)
      if (operation.liveGate === true) assertLive(principal, standing, recordMode)
    },
    mayActIn: (recordMode) =>
      principal !== undefined &&
      (principal.kind === 'user' || principal.mode === recordMode) &&
      (operation.liveGate !== true || missingForLive(principal, standing, recordMode) === undefined),
  }
}

/** An operator who acts without a company needs no verified one. */
export const operatorStanding = (
  operation: Operation,
  principal: Principal | undefined,
): Standing | undefined =>
  operation.orOperator === true && principal !== undefined && isOperator(principal)
    ? { verified: true, role: undefined }
    : undefined

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const companyOf = (
  operation: Operation,
  request: FastifyRequest,
  principal: Principal,
): string | undefined => {
  if (operation.companyInPath === true) return (request.params as { id: string }).id.toLowerCase()
  if (operation.company === undefined) return undefined
  const header = request.headers['company']
  if (header === undefined || header === '') {
    if (principal.kind !== 'user') return principal.companyId
    if (operation.orOperator === true && isOperator(principal)) return undefined
    if (operation.company === 'required') throw new Problem('company_header_missing')
    return undefined
  }
  if (typeof header !== 'string' || !uuid.test(header)) {
    throw new Problem('validation_failed', {
      reasons: [because('must_have_format', { format: 'uuid', place: 'header company' })],
    })
  }
  return header.toLowerCase()
}

const modeOf = (operation: Operation, request: FastifyRequest): Mode | undefined => {
  if (operation.mode !== 'query' && operation.mode !== 'body') return undefined
  const value = (request[operation.mode] as { mode?: unknown } | undefined)?.mode
  return modes.find((mode) => mode === value)
}
