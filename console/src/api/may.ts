import type { Mode, OperationEntry, OperationName } from '@millseal/contract'
import { operationTable } from '@millseal/contract/operation-table'
import { hasRightsOf } from '@millseal/contract/vocabulary'
import type { Membership, Session } from './session.ts'

type Caller = {
  readonly session: Session
  readonly membership: Membership | undefined
  readonly mode: Mode
}

/** Live mode needs a reviewed company and a second factor. */
export const isLiveReady = ({ session, membership }: Omit<Caller, 'mode'>): boolean =>
  membership?.company.verified === true && session.hasTwoFactors

/** Decides like the server, by the facts of the contract. */
export const mayCall = (name: OperationName, caller: Caller): boolean => {
  const entry: OperationEntry = operationTable[name]
  const { session, membership, mode } = caller
  if (entry.admin === true) return session.isOperator
  if (entry.orOperator === true && session.isOperator) return true
  if (entry.role !== undefined && (membership === undefined || !hasRightsOf(membership.role, entry.role)))
    return false
  return entry.liveGate !== true || mode === 'test' || isLiveReady(caller)
}
