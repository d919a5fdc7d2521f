import type { Mode } from '@millseal/contract'
import { type Selectable, sql } from 'kysely'
import { inBatches } from '../../../lib/in-batches.ts'
import { bytesArray } from '../../../ports/database/bytes-array.ts'
import { type Query } from '../../../ports/database/database.ts'
import { givenArray } from '../../../ports/database/given-array.ts'
import type { LedgerBlocks } from '../../../ports/database/tables.ts'
import type { CertificateFile } from '../../../ports/ledger/ledger.ts'
import { type CorrectionRow, type EntryPlace, type EntryRow, stateOperation } from './index-rows.ts'
import { readStoredRows, type StoredRows } from './stored-rows.ts'
import { readWantedWords } from './wanted-words.ts'

/** Where an entry is, and when it was committed. */
export type Place = EntryPlace &
  Pick<Selectable<LedgerBlocks>, 'committedAt'> & {
    /** The log had at least this many entries when the place was read. */
    readonly size: number
  }

type FoundPlace = Place & Pick<EntryRow, 'id' | 'jsonHash' | 'pdfHash'>

export type FoundOutput = { readonly index: number; readonly outputIndex: number; readonly id: string }

export type IndexReader = {
  readSize(): Promise<number>
  findById(id: string): Promise<Place | undefined>
  findByIndex(index: number): Promise<Place | undefined>
  /** The entries that correct a certificate or a key. */
  findCorrections(subject: string): Promise<readonly Place[]>
  findByHash(hash: string, file?: CertificateFile): Promise<Place | undefined>
  /** All entries for the JSON of a certificate, in order. */
  findEntriesOf(jsonHash: string): Promise<readonly Place[]>
  findByAsset(
    assetId: string,
    wanted: { readonly operation?: 'CREATE' | 'TRANSFER' | undefined; readonly onlyLast: boolean },
  ): Promise<readonly Place[]>
  /** The transactions of a block, which may have none. Undefined if there is no such block. */
  findByHeight(height: number): Promise<readonly Place[] | undefined>
  search(wanted: {
    readonly words: string
    readonly within: 'assets' | 'metadata' | undefined
    readonly limit: number
  }): Promise<readonly Place[]>
  findOutputs(publicKey: string, spent: boolean | undefined): Promise<readonly FoundOutput[]>
  /** The stored rows of the entries `from` ≤ index < `to`. */
  readRows(range: { readonly from: number; readonly to: number }): Promise<StoredRows>
}

/** More than one answer can use, and few enough to read. */
const maxFound = 10_000

export const createIndexReader = (query: Query, mode: Mode): IndexReader => {
  const db = query
  const find = async (condition: ReturnType<typeof sql>): Promise<FoundPlace[]> => {
    const { rows } = await sql<FoundPlace>`
      select encode(e.id, 'hex') as id, encode(e.json_hash, 'hex') as json_hash, encode(e.pdf_hash, 'hex') as pdf_hash,
        e.index, e.height, e.bundle_offset, e.bundle_bytes, b.committed_at,
        (select index + 1 from ledger_entries where mode = ${mode} order by index desc limit 1) as size
      from ledger_entries e join ledger_blocks b on b.mode = e.mode and b.height = e.height
      where e.mode = ${mode} and e.operation <> ${stateOperation} and ${condition}`.execute(db)
    return rows
  }
  const findByIds = inBatches(async (ids) => {
    const found = await find(sql`e.id = any(${givenArray(bytesArray(ids.map(bytes)), 'bytea')})`)
    return new Map(found.map((place) => [place.id, place]))
  })
  return {
    async readSize() {
      const { rows } = await sql<{ size: number }>`
        select index + 1 as size from ledger_entries where mode = ${mode} order by index desc limit 1`.execute(
        db,
      )
      return rows[0]?.size ?? 0
    },
    findById: findByIds,
    findByIndex: async (index) => (await find(sql`e.index = ${index}`))[0],
    findByHash: findRecorded(find, mode),
    findCorrections: findCorrectionsIn(query, mode, find),
    findEntriesOf: findEntriesIn(find),
    async findByAsset(assetId, { operation, onlyLast }) {
      const created =
        operation === 'TRANSFER' ? [] : await find(sql`e.id = ${bytes(assetId)} and e.operation = 'CREATE'`)
      const transferred =
        operation === 'CREATE'
          ? []
          : await find(sql`e.asset_id = ${bytes(assetId)} and e.operation = 'TRANSFER'
              order by e.index desc limit ${onlyLast ? 1 : maxFound}`)
      const found = [...created, ...transferred.toReversed()]
      return onlyLast ? found.slice(-1) : found
    },
    async findByHeight(height) {
      const block = await db
        .selectFrom('ledgerBlocks')
        .select(['firstIndex', 'entryCount'])
        .where('mode', '=', mode)
        .where('height', '=', height)
        .executeTakeFirst()
      if (block === undefined) return undefined
      const { firstIndex, entryCount } = block
      return await find(
        sql`e.index >= ${firstIndex} and e.index < ${firstIndex + entryCount} order by e.index`,
      )
    },
    search: ({ words, within, limit }) =>
      find(sql`${containing(words, within)} order by e.index desc limit ${Math.min(limit, maxFound)}`),
    findOutputs: (publicKey, spent) => findOutputs(query, { mode, publicKey, spent }),
    readRows: (range) => readStoredRows(query, { mode, ...range }),
  }
}

type FindPlaces = (condition: ReturnType<typeof sql>) => Promise<FoundPlace[]>

const findRecorded = (find: FindPlaces, mode: Mode): IndexReader['findByHash'] => {
  const findFirstOf = (files: readonly CertificateFile[]) =>
    inBatches(async (hashes) => {
      const places = new Map<string, Place>()
      const first = firstRecords(mode, { files, hashes })
      // The first record of a hash is the valid one, so it is set last.
      for (const place of await find(sql`e.index in (${first}) order by e.index desc`))
        for (const file of files) {
          const hash = file === 'json' ? place.jsonHash : place.pdfHash
          if (hash !== null) places.set(hash, place)
        }
      return places
    })
  const byFile = { json: findFirstOf(['json']), pdf: findFirstOf(['pdf']) }
  const byEither = findFirstOf(['json', 'pdf'])
  return (hash, file) => (file === undefined ? byEither : byFile[file])(hash)
}

const findCorrectionsIn = (query: Query, mode: Mode, find: FindPlaces): IndexReader['findCorrections'] => {
  const findBatch = inBatches(async (subjects) => {
    const { rows } = await sql<CorrectionRow>`
      select index, subject from ledger_corrections where mode = ${mode} and subject = any(${[...subjects]}::text[])
      order by index limit ${maxFound}`.execute(query)
    if (rows.length === 0) return new Map<string, readonly Place[]>()
    const places = await find(sql`e.index = any(${rows.map(({ index }) => index)}::bigint[])`)
    const placeOf = new Map(places.map((place) => [place.index, place]))
    const bySubject = Map.groupBy(rows, ({ subject }) => subject)
    return new Map(
      [...bySubject].map(([subject, own]) => [subject, own.flatMap(({ index }) => placeOf.get(index) ?? [])]),
    )
  })
  return async (subject) => (await findBatch(subject)) ?? []
}

const findEntriesIn = (find: FindPlaces): IndexReader['findEntriesOf'] => {
  const findBatch = inBatches(async (hashes) => {
    const places = await find(
      sql`e.json_hash = any(${bytesArray(hashes.map(bytes))}::bytea[]) order by e.index`,
    )
    return Map.groupBy(places, ({ jsonHash }) => String(jsonHash))
  })
  return async (jsonHash) => (await findBatch(jsonHash)) ?? []
}

const columns = { json: 'json_hash', pdf: 'pdf_hash' } as const

/** Hashes can be recorded again by anyone, so later records are not even read. */
const firstRecords = (
  mode: Mode,
  { files, hashes }: { readonly files: readonly CertificateFile[]; readonly hashes: readonly string[] },
) => {
  const records = files.map(
    (file) => sql`(select index from ledger_entries
      where mode = ${mode} and ${sql.ref(columns[file])} = asked.hash order by index limit 1)`,
  )
  return sql`select min(recorded.index) from unnest(${bytesArray(hashes.map(bytes))}::bytea[]) as asked (hash)
    cross join lateral (${sql.join(records, sql` union all `)}) as recorded group by asked.hash`
}

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')

const containing = (search: string, within: 'assets' | 'metadata' | undefined) => {
  const { words, ofPhrases, unwanted } = readWantedWords(search)
  const isFoundIn = (column: 'asset_words' | 'metadata_words') => {
    const has = sql.ref(`e.${column}`)
    const wanted =
      ofPhrases.length > 0 ? sql`${has} @> ${ofPhrases}::text[]` : sql`${has} && ${words}::text[]`
    const refused = unwanted.map((phrase) => sql`and not ${has} @> ${phrase}::text[]`)
    return sql`(${sql.join([wanted, ...refused], sql` `)})`
  }
  if (within === undefined) return sql`(${isFoundIn('asset_words')} or ${isFoundIn('metadata_words')})`
  return isFoundIn(within === 'assets' ? 'asset_words' : 'metadata_words')
}

const findOutputs = async (
  query: Query,
  {
    mode,
    publicKey,
    spent,
  }: { readonly mode: Mode; readonly publicKey: string; readonly spent: boolean | undefined },
): Promise<readonly FoundOutput[]> => {
  const isSpent = spent === true ? sql`o.spent_by is not null` : sql`o.spent_by is null`
  const { rows } = await sql<FoundOutput>`
    select o.index, o.output_index, encode(e.id, 'hex') as id
    from ledger_outputs o join ledger_entries e on e.mode = o.mode and e.index = o.index
    where o.mode = ${mode} and o.public_keys @> ${[publicKey]}::text[] and ${spent === undefined ? sql`true` : isSpent}
    order by o.index desc, o.output_index desc limit ${maxFound}`.execute(query)
  return rows.toReversed()
}
