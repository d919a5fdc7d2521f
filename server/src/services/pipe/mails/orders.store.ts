import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'

/** Inserts one order per event and mail hook that listens to it. Returns how many it inserted. */
export const orderMails = async (tx: Query, eventIds: readonly string[]): Promise<number> => {
  const { numAffectedRows } = await sql`
    insert into mail_orders (event_id, mail_hook_id)
    select o.id, h.id from outbox o
    join mail_hooks h on h.company_id = o.owner_id and h.status = 'enabled' and h.ended_at is null
      and concat_ws('/', o.mode, o.resource, o.action) = any(h.listens)
    where o.id = any(${[...eventIds]}::uuid[]) and o.owner_kind = 'company'
    order by o.sequence, h.id
    for key share of h
    on conflict do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

export type MailOrder = {
  readonly eventId: string
  readonly mailHookId: string
  readonly companyId: string
  readonly mode: Mode
  readonly resource: string
  readonly action: string
  readonly payload: Uint8Array
}

/** Deletes and returns the oldest order that no other transaction has taken. */
export const takeOrder = async (tx: Query): Promise<MailOrder | undefined> => {
  const { rows } = await sql<MailOrder>`
    with taken as (
      delete from mail_orders where (event_id, mail_hook_id) = (
        select event_id, mail_hook_id from mail_orders order by event_id, mail_hook_id
        limit 1 for update skip locked
      ) returning event_id, mail_hook_id
    )
    select t.event_id, t.mail_hook_id, o.owner_id as company_id, o.mode, o.resource, o.action, o.payload
    from taken t join outbox o on o.id = t.event_id`.execute(tx)
  return rows[0]
}
