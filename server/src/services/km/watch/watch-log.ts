import type { Mode } from '@millseal/contract'
import {
  entriesPath,
  checkpointIn,
  isStateLeaf,
  readCorrection,
  readEntries,
  type LogEntry,
  readLogEntry,
  type SignedTransaction,
  signerOf,
  tileWidth,
} from '@millseal/proof'
import type { Transaction } from '../../../ports/database/database.ts'
import type { LogFiles } from '../../../ports/ledger/log-files.ts'
import { adoptRevocation } from '../corrections/adopt-revocation.ts'
import type { KmDependencies } from '../dependencies.ts'
import { reportForeignNames } from './foreign-names.ts'
import { insertMentions, lockWatch, type Mention, saveWatch } from './log-mentions.store.ts'
import { type FoundEntry, mentionsOf } from './mentions-of.ts'

/**
 * Searches the next entries of a log, at most a tile, acts on what it finds, and remembers how far it got in the same transaction. Returns true
 * if there are more. One process does so at a time. `seen` saves the question to the database if nothing is new.
 */
export const watchLog = async (
  deps: KmDependencies,
  mode: Mode,
  seen: { size: number },
): Promise<boolean> => {
  const { files } = deps.ledgers.embedded(mode)
  const note = await files.readCheckpoint()
  if (note === undefined) return false
  const { size } = checkpointIn(note)
  if (size === seen.size) return false
  return deps.database.transaction(async (tx) => {
    const from = await lockWatch(tx, mode)
    if (from === undefined) return false
    const entries = from < size ? await readTile(files, { from, size }) : []
    if (entries === undefined) return false
    await storeMentions(deps, tx, { mode, entries })
    const next = from + entries.length
    if (entries.length > 0) await saveWatch(tx, mode, next)
    if (next < size) return true
    seen.size = size
    return false
  })
}

type Entry = LogEntry<SignedTransaction>

/** From this entry to the end of its tile. The log verified them before it recorded them. */
const readTile = async (
  files: LogFiles,
  { from, size }: { readonly from: number; readonly size: number },
): Promise<readonly Uint8Array[] | undefined> => {
  const index = Math.floor(from / tileWidth)
  const width = Math.min(tileWidth, size - index * tileWidth)
  const bundle = await files.readTile(entriesPath({ index, width }))
  const entries = bundle && readEntries(bundle)
  return entries?.slice(from - index * tileWidth)
}

const storeMentions = async (
  deps: KmDependencies,
  tx: Transaction,
  { mode, entries }: { readonly mode: Mode; readonly entries: readonly Uint8Array[] },
): Promise<void> => {
  const found = entries.flatMap((bytes): (FoundEntry & Pick<Entry, 'time'>)[] => {
    if (isStateLeaf(bytes)) return []
    const { transaction, time } = readLogEntry(bytes) as unknown as Entry
    const mentions = mentionsOf(transaction)
    return mentions === undefined ? [] : [{ transaction, mentions, time }]
  })
  const stored: Mention[] = []
  for (const { transaction, mentions, time } of found) {
    const { kind, dids, vatId } = mentions
    const subjects = new Set([
      ...dids,
      ...(vatId === undefined ? [] : [vatId]),
      ...(time === undefined ? [] : await correctedSigner(deps, mode, transaction)),
    ])
    for (const subject of subjects) stored.push({ subject, kind, transactionId: transaction.id })
  }
  await insertMentions(tx, mode, stored)
  for (const { transaction, time } of found)
    if (time !== undefined) await adoptRevocation(deps, tx, { mode, transaction, time })
  await reportForeignNames(deps, tx, { mode, found })
}

/** Entries without a time are never corrections. A correction of a certificate concerns the key that signed the certificate. */
const correctedSigner = async (
  { ledgers }: KmDependencies,
  mode: Mode,
  transaction: SignedTransaction,
): Promise<readonly string[]> => {
  const correction = readCorrection(transaction)
  if (correction === undefined || correction.action === 'revoke-key') return []
  const certificate = await ledgers.embedded(mode).find(correction.transactionId)
  const signer = certificate && signerOf(certificate.transaction)
  return signer === undefined ? [] : [signer]
}
