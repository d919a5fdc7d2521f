import type { Session } from '@millseal/contract'
import { principalName, type UserPrincipal } from '../../../http/principal.ts'
import type { Audit } from '../../../ports/audit/audit.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { toSessionResponse } from './session-response.ts'
import { deleteSession, deleteSessionsOf } from './sessions.store.ts'

type Dependencies = { readonly audit: Audit }

type By = {
  readonly principal: UserPrincipal
  readonly client: { readonly ip: string }
  /** The operation, as the audit log calls it. */
  readonly action: string
}

/** The tokens of the session are refused from the next call on: each call looks its session up. */
export const endSession =
  ({ audit }: Dependencies) =>
  async (tx: Transaction, id: string, { principal, client, action }: By): Promise<Session | undefined> => {
    const session = await deleteSession(tx, { id, userId: principal.id })
    if (session === undefined) return undefined
    await audit.write(tx, {
      actor: principalName(principal),
      action,
      subject: `session:${session.id}`,
      ipAddress: client.ip,
    })
    return toSessionResponse(session, principal)
  }

/** Newest first, the present one among them. */
export const endAllSessions =
  ({ audit }: Dependencies) =>
  async (tx: Transaction, { principal, client, action }: By): Promise<Session[]> => {
    const sessions = await deleteSessionsOf(tx, principal.id)
    await audit.write(tx, {
      actor: principalName(principal),
      action,
      subject: principalName(principal),
      ipAddress: client.ip,
      details: { sessions: sessions.length },
    })
    return sessions
      .toSorted((one, other) => other.id.localeCompare(one.id))
      .map((session) => toSessionResponse(session, principal))
  }
