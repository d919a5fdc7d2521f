import type { AccessToken, Application, EventName } from '@millseal/contract'
import { type Principal, principalName } from '../../http/principal.ts'
import type { Transaction } from '../../ports/database/database.ts'
import type { AuthDependencies } from './dependencies.ts'

type Change = {
  /** The id of the operation, such as `applications.rotate_secret`. */
  readonly action: string
  readonly event: Extract<EventName, { resource: 'applications' | 'access_token' }>
  /** The record after the change, or before its deletion; never with its secret. */
  readonly record: Application | AccessToken
  readonly details?: object
}

/** Writes the audit entry of a change to a company's credentials, and the event for the company. */
export const recordChange = async (
  { audit, outbox }: AuthDependencies,
  tx: Transaction,
  {
    principal,
    companyId,
    client,
  }: {
    readonly principal: Principal
    readonly companyId: string
    readonly client: { readonly ip: string }
  },
  { action, event, record, details }: Change,
): Promise<void> => {
  await audit.write(tx, {
    actor: principalName(principal),
    action,
    subject: `${event.resource === 'applications' ? 'application' : 'accesstoken'}:${record.id}`,
    companyId,
    ipAddress: client.ip,
    details: { mode: record.mode, ...details },
  })
  await outbox.write(tx, {
    ...event,
    owner: { kind: 'company', id: companyId },
    mode: record.mode,
    payload: record,
  })
}
