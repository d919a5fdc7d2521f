import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import type { Page } from '../../../http/page.ts'
import type { Query, Transaction } from '../../../ports/database/database.ts'
import { whenGiven } from '../when-given.ts'
import type { MentionKind } from './mentions-of.ts'

/** The next entry to search. Undefined if another process is searching this log. Locked until the transaction ends. */
export const lockWatch = async (tx: Transaction, mode: Mode): Promise<number | undefined> => {
  await tx
    .insertInto('logWatches')
    .values({ mode, nextIndex: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await tx
    .selectFrom('logWatches')
    .select('nextIndex')
    .where('mode', '=', mode)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row?.nextIndex
}

export const saveWatch = async (tx: Transaction, mode: Mode, nextIndex: number): Promise<void> => {
  await tx.updateTable('logWatches').set({ nextIndex }).where('mode', '=', mode).execute()
}

export type Mention = {
  readonly subject: string
  readonly kind: MentionKind
  readonly transactionId: string
}

/** In this order. */
export const insertMentions = async (
  tx: Transaction,
  mode: Mode,
  mentions: readonly Mention[],
): Promise<void> => {
  if (mentions.length === 0) return
  const rows = JSON.stringify(mentions)
  await sql`
    insert into log_mentions (mode, subject, kind, transaction_id)
    select ${mode}, row->>'subject', row->>'kind', decode(row->>'transactionId', 'hex')
    from jsonb_array_elements(${rows}::jsonb) with ordinality as given (row, place) order by place`.execute(
    tx,
  )
}

/** False if the company was told today already. */
export const markForeignNameMail = async (
  tx: Transaction,
  mail: { readonly companyId: string; readonly mode: Mode; readonly now: Date },
): Promise<boolean> => {
  const { rows } = await sql`
    insert into foreign_name_mails (company_id, mode, mailed_on)
    values (${mail.companyId}, ${mail.mode}, ${mail.now.toISOString().slice(0, 10)})
    on conflict do nothing returning company_id`.execute(tx)
  return rows.length > 0
}

export type StoredMention = {
  readonly position: string
  readonly kind: MentionKind
  readonly transactionId: string
}

/** Newest first. */
export const findMentions = async (
  query: Query,
  { mode, subject }: { readonly mode: Mode; readonly subject: string },
  { limit, after }: Page,
): Promise<StoredMention[]> => {
  const rows = await query
    .selectFrom('logMentions')
    .select(['position', 'kind', 'transactionId'])
    .where('mode', '=', mode)
    .where('subject', '=', subject)
    .$call(whenGiven(after, (found, value) => found.where('position', '<', Number(value))))
    .orderBy('position', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ position, kind, transactionId }) => ({
    position: String(position),
    kind,
    transactionId: Buffer.from(transactionId).toString('hex'),
  }))
}

/** The companies that own these keys, in the mode. */
export const findOwners = async (
  query: Query,
  { mode, dids }: { readonly mode: Mode; readonly dids: readonly string[] },
): Promise<ReadonlyMap<string, string>> => {
  if (dids.length === 0) return new Map()
  const rows = await query
    .selectFrom('identities')
    .select(['did', 'companyId'])
    .where('mode', '=', mode)
    .where('did', 'in', [...dids])
    .execute()
  return new Map(rows.map(({ did, companyId }) => [did, companyId]))
}
