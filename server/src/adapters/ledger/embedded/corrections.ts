import type { Mode } from '@millseal/contract'
import {
  createStatusTree,
  encodeBase58,
  isSameHead,
  publicKeyOfDid,
  type StatusTree,
  type TreeHead,
} from '@millseal/proof'
import { sql } from 'kysely'
import { nodePrimitives } from '@millseal/proof/node'
import type { Query } from '../../../ports/database/database.ts'
import { correctedSubject, keyAfter, readVerifiedEntry, type RecordedKey } from '@millseal/replay'
import { readEntry } from './entry.ts'
import { type CorrectionRow, splitWords } from './index-rows.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import { readEntriesBetween } from './read-entries.ts'
import type { TileFolder } from './tile-folder.ts'

/** The status tree of a growing log, kept in memory. */
export type StatusOfLog = {
  /** Adds what corrects something below `size`. Throws `LedgerDamaged` if the result is not `head`. */
  advance(size: number, head: TreeHead | undefined): Promise<StatusTree>
}

/** The index of a process that does not write may be behind the checkpoint; the rest is read from the entries. */
export const createStatusOfLog = ({
  folder,
  query,
  mode,
}: {
  readonly folder: TileFolder
  readonly query: Query
  readonly mode: Mode
}): StatusOfLog => {
  let tree = createStatusTree(nodePrimitives)
  let covered = 0
  return {
    async advance(size, head) {
      if (size > covered) {
        const indexed = await findCorrections(query, { mode, from: covered, to: size })
        const missing = await readCorrections(folder, { from: Math.max(covered, indexed.size), to: size })
        for (const { index, subject } of [...indexed.corrections, ...missing]) tree.add(subject, index)
        covered = size
      }
      if (head !== undefined && !isSameHead(head, tree.head)) {
        tree = createStatusTree(nodePrimitives)
        covered = 0
        throw new LedgerDamaged('the index of corrections in the database differs from the checkpoint')
      }
      return tree
    },
  }
}

/** In one statement, so that all of it is of one moment. */
const findCorrections = async (
  query: Query,
  { mode, from, to }: { readonly mode: Mode; readonly from: number; readonly to: number },
): Promise<{ readonly size: number; readonly corrections: readonly CorrectionRow[] }> => {
  const { rows } = await sql<{ size: number; corrections: readonly CorrectionRow[] }>`
    select
      coalesce((select index + 1 from ledger_entries where mode = ${mode} order by index desc limit 1), 0) as size,
      coalesce((
        select json_agg(json_build_object('index', index, 'subject', subject) order by index) from ledger_corrections
        where mode = ${mode} and index >= ${from} and index < ${to}), '[]') as corrections`.execute(query)
  return rows[0] ?? { size: 0, corrections: [] }
}

const readCorrections = async (
  folder: TileFolder,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly CorrectionRow[]> => {
  if (from >= to) return []
  const entries = await readEntriesBetween(folder, { from, to, size: to })
  return entries.flatMap((entry, at) => {
    const recorded = readEntry(entry)
    const subject = recorded.transaction && correctedSubject(recorded)
    return subject === undefined ? [] : [{ index: from + at, subject }]
  })
}

/** More entries of one key than this are not searched for a signature. */
const maxSearched = 10_000

/** Whether the key has signed an entry, and the recovery key that its first identity names. */
export const findRecordedKey = async (
  { folder, query, mode }: { readonly folder: TileFolder; readonly query: Query; readonly mode: Mode },
  { did, size }: { readonly did: string; readonly size: number },
): Promise<RecordedKey | undefined> => {
  const publicKey = encodeBase58(publicKeyOfDid(did))
  const isOwn = sql`select index from ledger_outputs where mode = ${mode} and public_keys @> ${[publicKey]}::text[]`
  const namesIt = sql`
    select index from ledger_entries
    where mode = ${mode} and asset_words @> ${splitWords(`identity ${did}`)}::text[]`
  const { rows } = await sql<{ index: number; isNamed: boolean }>`
    select index, bool_or(named) as is_named from (
      select index, false as named from (${isOwn}) own union all select index, true from (${namesIt}) named
    ) found where index < ${size} group by index order by index limit ${maxSearched}`.execute(query)
  let found: RecordedKey | undefined
  for (const { index, isNamed } of rows) {
    if (found !== undefined && !isNamed) continue
    const [entry] = await readEntriesBetween(folder, { from: index, to: index + 1, size })
    if (entry === undefined) throw new LedgerDamaged(`entry ${index} is missing`)
    found = keyAfter(readVerifiedEntry(entry, nodePrimitives).transaction, {
      did,
      before: found,
    })
    if (found?.isNamed === true) return found
  }
  return found
}
