import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import type { Block } from './block-journal.ts'
import { channelOf } from './channels.ts'
import { correctionRows, entryRow, outputRows, type PlacedEntry, spendings } from './index-rows.ts'
import { createKnownEntries, type KnownEntries } from './known-entries.ts'

/** The index as the writer sees it, through the connection that holds the lock. */
export type IndexWriter = KnownEntries & {
  /** The number of entries in the index, and the height of its last block. */
  readHead(): Promise<{ readonly size: number; readonly height: number }>
  /** Rejects if the connection, and with it the lock, is lost. */
  assertHeld(): Promise<void>
  begin(): Promise<void>
  commit(): Promise<void>
  /** Call between `begin` and `commit`. */
  insert(block: Block, placed: readonly PlacedEntry[]): Promise<void>
}

export const createIndexWriter = (query: Query, mode: Mode): IndexWriter => {
  const db = query
  return {
    ...createKnownEntries(query, mode),
    async readHead() {
      const { rows } = await sql<{ size: number; height: number }>`
        select first_index + entry_count as size, height from ledger_blocks
        where mode = ${mode} order by height desc limit 1`.execute(db)
      return rows[0] ?? { size: 0, height: 0 }
    },
    assertHeld: async () => void (await sql`select`.execute(db)),
    begin: async () => void (await sql`begin`.execute(db)),
    commit: async () => void (await sql`commit`.execute(db)),
    async insert({ height, firstIndex, entryCount, committedAt }, placed) {
      await sql`
        with added as (
          insert into ledger_blocks (mode, height, first_index, entry_count, committed_at)
          values (${mode}, ${height}, ${firstIndex}, ${entryCount}, ${committedAt}) returning height)
        select pg_notify(${channelOf(mode, 'committed')}, height::text) from added`.execute(db)
      await insertEntries(query, mode, placed)
      await insertOutputs(query, mode, placed)
      await markSpent(query, mode, placed)
      await insertCorrections(query, mode, placed)
    },
  }
}

const insertEntries = (query: Query, mode: Mode, placed: readonly PlacedEntry[]) =>
  sql`
    insert into ledger_entries
      (mode, index, height, id, bundle_offset, bundle_bytes, operation, asset_id, json_hash, pdf_hash, asset_words, metadata_words)
    select ${mode}, index, height, decode(id, 'hex'), "bundleOffset", "bundleBytes", operation, decode("assetId", 'hex'),
      decode("jsonHash", 'hex'), decode("pdfHash", 'hex'), "assetWords", "metadataWords"
    from json_to_recordset(${JSON.stringify(placed.map(entryRow))}) as r(index bigint, height bigint, id text, "bundleOffset" int,
      "bundleBytes" int, operation text, "assetId" text, "jsonHash" text, "pdfHash" text, "assetWords" text[],
      "metadataWords" text[])`.execute(query)

const insertOutputs = (query: Query, mode: Mode, placed: readonly PlacedEntry[]) =>
  sql`
    insert into ledger_outputs (mode, index, output_index, public_keys)
    select ${mode}, index, "outputIndex", "publicKeys"
    from json_to_recordset(${JSON.stringify(placed.flatMap(outputRows))})
      as r(index bigint, "outputIndex" int, "publicKeys" text[])`.execute(query)

const insertCorrections = async (query: Query, mode: Mode, placed: readonly PlacedEntry[]): Promise<void> => {
  const corrections = placed.flatMap(correctionRows)
  if (corrections.length === 0) return
  await sql`
    insert into ledger_corrections (mode, index, subject)
    select ${mode}, index, subject
    from json_to_recordset(${JSON.stringify(corrections)}) as r(index bigint, subject text)`.execute(query)
}

const markSpent = async (query: Query, mode: Mode, placed: readonly PlacedEntry[]): Promise<void> => {
  const spent = placed.flatMap(spendings)
  if (spent.length === 0) return
  const { rows } = await sql`
    update ledger_outputs o set spent_by = r."spentBy"
    from json_to_recordset(${JSON.stringify(spent)}) as r(id text, "outputIndex" int, "spentBy" bigint)
    join ledger_entries e on e.id = decode(r.id, 'hex') and e.mode = ${mode}
    where o.mode = ${mode} and o.index = e.index and o.output_index = r."outputIndex" and o.spent_by is null
    returning o.index`.execute(query)
  if (rows.length !== spent.length) throw new Error('A spent output is missing from the index')
}
