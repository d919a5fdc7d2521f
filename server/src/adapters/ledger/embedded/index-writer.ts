import type { Mode } from '@millseal/contract'
import type { ClientBase } from 'pg'
import type { Block } from './block-journal.ts'
import { channelOf } from './channels.ts'
import { entryRow, outputRows, type PlacedTransaction, spendings } from './index-rows.ts'
import { createKnownEntries, type KnownEntries, type RunStatement, type Statement } from './known-entries.ts'

/** The index as the one process sees it that writes it, through the connection that holds the lock. */
export type IndexWriter = KnownEntries & {
  /** How many entries the index has, and the height of its last block. */
  readHead(): Promise<{ readonly size: number; readonly height: number }>
  /** Rejects when the connection, and with it the lock, is lost. */
  assertHeld(): Promise<void>
  begin(): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Within begin and commit. */
  insert(block: Block, placed: readonly PlacedTransaction[]): Promise<void>
}

type Queryable = Pick<ClientBase, 'query'>

export const createIndexWriter = (client: Queryable, mode: Mode): IndexWriter => {
  const run: RunStatement = async <Row extends object>({ name, text, values }: Statement) =>
    (await client.query<Row>({ name: `ledger-${name}`, text, values: [...values] })).rows
  const runRecords = (name: string, text: string, records: readonly object[]) =>
    run<{ readonly index: number }>({ name, text, values: [mode, JSON.stringify(records)] })
  return {
    ...createKnownEntries(run, mode),
    async readHead() {
      const [row] = await run<{ size: number; height: number }>({
        name: 'head',
        text: headSql,
        values: [mode],
      })
      return { size: row?.size ?? 0, height: row?.height ?? 0 }
    },
    assertHeld: async () => void (await client.query('select')),
    begin: async () => void (await client.query('begin')),
    commit: async () => void (await client.query('commit')),
    rollback: async () => void (await client.query('rollback')),
    async insert(block, placed) {
      const { height, firstIndex, count, timestamp } = block
      const values = [mode, height, firstIndex, count, timestamp, channelOf(mode, 'committed')]
      await run({ name: 'insert-block', text: insertBlockSql, values })
      await runRecords('insert-entries', insertEntriesSql, placed.map(entryRow))
      await runRecords('insert-outputs', insertOutputsSql, placed.flatMap(outputRows))
      const spent = placed.flatMap(spendings)
      if (spent.length === 0) return
      const updated = await runRecords('spend', spendSql, spent)
      if (updated.length !== spent.length)
        throw new Error('An output was to be spent that the index does not have')
    },
  }
}

const headSql = `
  select first_index + entry_count as size, height from ledger_blocks
  where mode = $1 order by height desc limit 1`

const insertBlockSql = `
  with added as (
    insert into ledger_blocks (mode, height, first_index, entry_count, committed_at)
    values ($1, $2, $3, $4, $5) returning height)
  select pg_notify($6, height::text) from added`

const insertEntriesSql = `
  insert into ledger_entries
    (mode, index, height, id, bundle_offset, bundle_bytes, operation, asset_id, json_hash, pdf_hash, asset_words, metadata_words)
  select $1, index, height, decode(id, 'hex'), bundle_offset, bundle_bytes, operation, decode(asset_id, 'hex'), decode(json_hash, 'hex'),
    decode(pdf_hash, 'hex'), asset_words, metadata_words
  from json_to_recordset($2) as r(index bigint, height bigint, id text, bundle_offset int, bundle_bytes int, operation text, asset_id text,
    json_hash text, pdf_hash text, asset_words text[], metadata_words text[])`

const insertOutputsSql = `
  insert into ledger_outputs (mode, index, output_index, public_keys)
  select $1, index, output_index, public_keys
  from json_to_recordset($2) as r(index bigint, output_index int, public_keys text[])`

const spendSql = `
  update ledger_outputs o set spent_by = r.spent_by
  from json_to_recordset($2) as r(id text, output_index int, spent_by bigint)
  join ledger_entries e on e.id = decode(r.id, 'hex') and e.mode = $1
  where o.mode = $1 and o.index = e.index and o.output_index = r.output_index and o.spent_by is null
  returning o.index`
