import { modes, type Mode, memberRoleOf, type Operation } from '@millseal/contract'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../lib/problem.ts'
import { authorize, assertLive, assertMode, missingForLive, type Standing } from './authorize.ts'
import type { Principal } from './principal.ts'

/** How somebody stands to a company; nothing when there is no such company. */
export type FindStanding = (companyId: string, principal: Principal) => Promise<Standing | undefined>

/** What a call was found to be allowed to touch. */
export type Access = {
  readonly companyId: string | undefined
  readonly mode: Mode | undefined
  /** For records that carry their mode themselves: to be asked as soon as the record is known. */
  readonly assertRecordMode: (mode: Mode) => void
  /** Whether `assertRecordMode` accepts this mode. */
  readonly mayActIn: (mode: Mode) => boolean
}

/** Gathers the facts of a call, has them judged, and hands on what they are about. */
export const resolveAccess = async (
  operation: Operation,
  request: FastifyRequest,
  findStanding: FindStanding,
): Promise<Access> => {
  const { principal } = request
  const companyId = principal === undefined ? undefined : companyOf(operation, request, principal)
  const standing =
    companyId === undefined || principal === undefined ? undefined : await findStanding(companyId, principal)
  const mode = modeOf(operation, request)
  const unknown = companyId !== undefined && standing === undefined
  authorize({ operation, principal, mode, standing: unknown ? nobodysCompany(companyId) : standing })
  if (unknown) throw new Problem('not_found')
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

/** To an outsider a company that does not exist looks like one that is not theirs. */
const nobodysCompany = (companyId: string): Standing => ({ companyId, verified: false, role: undefined })

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const companyOf = (
  operation: Operation,
  request: FastifyRequest,
  principal: Principal,
): string | undefined => {
  if (operation.company === undefined) {
    const isAboutCompany = memberRoleOf(operation) !== undefined || operation.id === 'companies.read'
    return isAboutCompany ? (request.params as { id: string }).id.toLowerCase() : undefined
  }
  const header = request.headers['company']
  if (header === undefined || header === '') {
    if (principal.kind !== 'user') return principal.companyId
    if (operation.company === 'required') throw new Problem('company_header_missing')
    return undefined
  }
  if (typeof header !== 'string' || !uuid.test(header)) {
    throw new Problem('validation_failed', { details: ['header company must match format "uuid"'] })
  }
  return header.toLowerCase()
}

const modeOf = (operation: Operation, request: FastifyRequest): Mode | undefined => {
  const place =
    operation.mode === 'query' ? request.query : operation.mode === 'body' ? request.body : undefined
  const value = (place as { mode?: unknown } | undefined)?.mode
  return modes.find((mode) => mode === value)
}
