import type { Mode } from '@millseal/contract'
import type { EntryRow } from './index-rows.ts'

export type KnownEntry = Pick<EntryRow, 'index' | 'id' | 'json_hash'>

/** What must be asked before a transaction may be appended, for many at once. */
export type KnownEntries = {
  findKnown(wanted: {
    readonly ids: readonly string[]
    readonly jsonHashes: readonly string[]
  }): Promise<readonly KnownEntry[]>
  /** Those that are spent, as `index/outputIndex`. */
  findSpent(
    outputs: readonly { readonly index: number; readonly outputIndex: number }[],
  ): Promise<ReadonlySet<string>>
}

/** Under one name stands one text, so that it is planned once. */
export type RunStatement = <Row extends object>(statement: Statement) => Promise<readonly Row[]>
export type Statement = { readonly name: string; readonly text: string; readonly values: readonly unknown[] }

export const createKnownEntries = (run: RunStatement, mode: Mode): KnownEntries => ({
  findKnown: async ({ ids, jsonHashes }) =>
    run<KnownEntry>({
      name: 'known',
      text: knownSql,
      values: [mode, ids.map(bytes), jsonHashes.map(bytes)],
    }),
  async findSpent(outputs) {
    if (outputs.length === 0) return new Set()
    const rows = await run<{ index: number; output_index: number }>({
      name: 'spent',
      text: spentSql,
      values: [mode, outputs.map(({ index }) => index), outputs.map(({ outputIndex }) => outputIndex)],
    })
    return new Set(rows.map(({ index, output_index }) => `${index}/${output_index}`))
  },
})

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')

const knownSql = `
  select index, encode(id, 'hex') as id, encode(json_hash, 'hex') as json_hash from ledger_entries
  where mode = $1 and id = any($2)
  union
  select index, encode(id, 'hex'), encode(json_hash, 'hex') from ledger_entries
  where mode = $1 and json_hash = any($3)`

const spentSql = `
  select o.index, o.output_index from ledger_outputs o
  join unnest($2::bigint[], $3::int[]) as w(index, output_index)
    on w.index = o.index and w.output_index = o.output_index
  where o.mode = $1 and o.spent_by is not null`
