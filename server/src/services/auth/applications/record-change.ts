import type { AccessToken, Application, EventName } from '@millseal/contract'
import { type Principal, principalName } from '../../../http/principal.ts'
import type { Audit } from '../../../ports/audit/audit.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Outbox } from '../../../ports/outbox/outbox.ts'

export type Change = {
  /** As operations are called: `applications.rotate_secret` */
  readonly action: string
  readonly event: Extract<EventName, { resource: 'applications' | 'access_token' }>
  /** As it is afterwards, or was last; never with its secret. */
  readonly record: Application | AccessToken
  readonly details?: object
}

type By = {
  readonly principal: Principal
  readonly companyId: string
  readonly client: { readonly ip: string }
}

export type RecordChange = (tx: Transaction, by: By, change: Change) => Promise<void>

/** What every change of a company's credentials leaves behind: an entry in the audit log and an event to the company. */
export const recordChangeBy =
  ({ audit, outbox }: { readonly audit: Audit; readonly outbox: Outbox }): RecordChange =>
  async (tx, { principal, companyId, client }, { action, event, record, details }) => {
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
