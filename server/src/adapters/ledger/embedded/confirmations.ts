import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import { bytesArray } from '../../../ports/database/bytes-array.ts'
import type { Query } from '../../../ports/database/database.ts'
import { givenArray } from '../../../ports/database/given-array.ts'
import type { Confirmations, Confirmed, Holder } from '../../../ports/ledger/confirmations.ts'
import { channelOf } from './channels.ts'

export type RecordedConfirmations = Omit<Confirmations, 'prove' | 'count' | 'check' | 'readHolders'> & {
  /** Call when any process has recorded something. */
  announce(): void
  /** All entries below `size` are confirmed. Again for the same time with the names of those who signed later. */
  record(confirmed: Confirmed & { readonly size: number }): Promise<void>
  /** These keys have signed a checkpoint of this size, be they a quorum or not. */
  recordHeld(held: Confirmed & { readonly size: number }): Promise<void>
  /** By the name of the key. */
  readHeld(): Promise<ReadonlyMap<string, NonNullable<Holder['held']>>>
}

/** One row for all entries that a checkpoint confirms: nothing is written for each of them. */
export const createConfirmations = (query: Query, mode: Mode): RecordedConfirmations => ({
  ...createNews(),
  async record({ size, at, by }) {
    await sql`
      with recorded as (
        insert into ledger_confirmations as c (mode, size, confirmed_at, confirmed_by)
        values (${mode}, ${size}, ${at}, ${[...by]}::text[])
        on conflict (mode, size) do update set confirmed_by = excluded.confirmed_by
        where c.confirmed_at = excluded.confirmed_at
        returning size)
      select pg_notify(${channelOf(mode, 'confirmed')}, size::text) from recorded`.execute(query)
  },
  async recordHeld({ size, at, by }) {
    await sql`
      insert into log_holders as h (mode, name, since, size, signed_at)
      select ${mode}, name, ${at}, ${size}, ${at} from unnest(${[...by]}::text[]) as name
      on conflict (mode, name) do update set size = excluded.size, signed_at = excluded.signed_at
      where h.size <= excluded.size`.execute(query)
  },
  async readHeld() {
    const { rows } = await sql<NonNullable<Holder['held']> & { readonly name: string }>`
      select name, since, size, signed_at from log_holders where mode = ${mode}`.execute(query)
    return new Map(rows.map(({ name, ...held }) => [name, held]))
  },
  async readSize() {
    const { rows } = await sql<{ size: number }>`
      select size from ledger_confirmations where mode = ${mode} order by size desc limit 1`.execute(query)
    return rows[0]?.size ?? 0
  },
  async find(transactionIds) {
    const ids = transactionIds.map((id) => Buffer.from(id, 'hex'))
    const { rows } = await sql<{ id: string; confirmedAt: Date; confirmedBy: readonly string[] }>`
      select encode(e.id, 'hex') as id, c.confirmed_at, c.confirmed_by
      from ledger_entries e cross join lateral (
        select confirmed_at, confirmed_by from ledger_confirmations
        where mode = ${mode} and size > e.index order by size limit 1
      ) as c
      where e.mode = ${mode} and e.id = any(${givenArray(bytesArray(ids), 'bytea')})`.execute(query)
    return new Map(rows.map(({ id, confirmedAt, confirmedBy }) => [id, { at: confirmedAt, by: confirmedBy }]))
  },
})

const createNews = (): Pick<RecordedConfirmations, 'announce' | 'until'> => {
  let next = Promise.withResolvers<void>()
  return {
    announce() {
      next.resolve()
      next = Promise.withResolvers<void>()
    },
    async until(look, signal) {
      const end = Promise.withResolvers<void>()
      signal.addEventListener('abort', () => end.resolve(), { once: true })
      for (;;) {
        const news = Promise.race([next.promise, end.promise])
        const isLast = signal.aborted
        const found = await look()
        if (found !== undefined || isLast) return found
        await (signal.aborted ? undefined : news)
      }
    },
  }
}
