import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import type { Block } from './block-journal.ts'
import type { CorrectionRow, EntryRow, OutputRow, Spending } from './index-rows.ts'

/** The index rows of a range of entries, to be compared with what the entries say. */
export type StoredRows = {
  readonly entries: readonly EntryRow[]
  readonly outputs: readonly OutputRow[]
  readonly spendings: readonly Spending[]
  readonly corrections: readonly CorrectionRow[]
  readonly blocks: readonly Block[]
}

/** For the entries `from` ≤ index < `to`. The order of the columns is that of the expected rows in `index-rows.ts`. */
export const readStoredRows = async (
  query: Query,
  { mode, from, to }: { readonly mode: Mode; readonly from: number; readonly to: number },
): Promise<StoredRows> => {
  const db = query
  const within = (column: string) => sql`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to}`
  const entries = await sql<EntryRow>`
    select index, height, encode(id, 'hex') as id, bundle_offset, bundle_bytes, operation, encode(asset_id, 'hex') as asset_id,
      encode(json_hash, 'hex') as json_hash, encode(pdf_hash, 'hex') as pdf_hash, asset_words, metadata_words
    from ledger_entries where mode = ${mode} and ${within('index')} order by index`.execute(db)
  const outputs = await sql<OutputRow>`
    select index, output_index, public_keys from ledger_outputs
    where mode = ${mode} and ${within('index')} order by index, output_index`.execute(db)
  const spent = await sql<Spending>`
    select encode(e.id, 'hex') as id, o.output_index, o.spent_by
    from ledger_outputs o join ledger_entries e on e.mode = o.mode and e.index = o.index
    where o.mode = ${mode} and ${within('o.spent_by')}`.execute(db)
  const corrections = await sql<CorrectionRow>`
    select index, subject from ledger_corrections
    where mode = ${mode} and ${within('index')} order by index`.execute(db)
  const blocks = await sql<Block>`
    select height, first_index, entry_count, committed_at
    from ledger_blocks where mode = ${mode} and height between
      (select height from ledger_entries where mode = ${mode} and index = ${from}) and
      (select height from ledger_entries where mode = ${mode} and index = ${to - 1})
    order by height`.execute(db)
  return {
    entries: entries.rows,
    outputs: outputs.rows,
    spendings: spent.rows,
    corrections: corrections.rows,
    blocks: blocks.rows,
  }
}
