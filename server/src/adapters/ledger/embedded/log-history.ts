import {
  checkAgainst,
  createStatusTree,
  readCorrection,
  type SignedTransaction,
  signerOf,
  tileWidth,
  type TreeHead,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { type Block, streamBlocks } from './block-journal.ts'
import { assertTime } from './check-range.ts'
import { assertCorrection, keyAfter, type RecordedKey } from './correction-rules.ts'
import { correctedSubject, type Entry, readVerifiedEntry } from './entry.ts'
import { createCertificateEntries } from './certificate-entries.ts'
import { certificateHash, spendings } from './index-rows.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import type { TileFolder } from './tile-folder.ts'

/** What earlier entries decide about later ones. */
export type History = {
  /** Throws `LedgerDamaged` for an entry that is not valid at its position. */
  add(entry: Uint8Array, index: number): Promise<void>
  /** The time of the last entry; empty if it has none. */
  readonly newest: string
  /** Of the status tree. */
  readonly head: TreeHead
}

export const createHistory = (
  folder: TileFolder,
  { size, operator }: { readonly size: number; readonly operator: string | undefined },
): History => {
  const recorded = createRecorded(folder, size)
  const status = createStatusTree(nodePrimitives)
  const blockOf = blockFinder(folder)
  let newest = ''
  return {
    get newest() {
      return newest
    },
    get head() {
      return status.head
    },
    async add(bytes, index) {
      const { committedAt } = await blockOf(index)
      try {
        const entry = readVerifiedEntry(bytes)
        const { transaction, time } = entry
        assertTime({ index, time, newest, committedAt })
        newest = time ?? newest
        recorded.assertNew(transaction)
        await assertAllowed(entry, { recorded, operator })
        recorded.add(transaction, index)
        const subject = correctedSubject(entry)
        if (subject !== undefined) status.add(subject, index)
      } catch (cause) {
        throw new LedgerDamaged(`Entry ${index} is not valid at its position`, { cause })
      }
    },
  }
}

const assertAllowed = async (
  { transaction, time }: Entry,
  {
    recorded,
    operator,
  }: { readonly recorded: ReturnType<typeof createRecorded>; readonly operator: string | undefined },
): Promise<void> => {
  // Entries without a time are older than corrections.
  const corrected = time === undefined ? [] : correctedIds(transaction)
  const spent = spendings({ index: 0, transaction }).map(({ id }) => id)
  const earlier = await recorded.readAll([...spent, ...corrected])
  const findTransaction = (id: string) => earlier.get(id)
  checkAgainst(transaction, { findTransaction, isSpent: recorded.isSpent }, nodePrimitives)
  if (time !== undefined)
    assertCorrection(transaction, { findTransaction, findKey: recorded.findKey, operator })
}

/** The entries so far. */
const createRecorded = (folder: TileFolder, size: number) => {
  const indexOf = new Map<string, number>()
  const certificates = createCertificateEntries()
  const signers = new Map<string, string>()
  const spent = new Set<string>()
  const keys = new Map<string, RecordedKey>()
  return {
    async readAll(ids: readonly string[]): Promise<ReadonlyMap<string, SignedTransaction>> {
      const found = new Map<string, SignedTransaction>()
      for (const id of ids) {
        const transaction = await readAt(folder, { index: indexOf.get(id), size })
        if (transaction !== undefined) found.set(id, transaction)
      }
      return found
    },
    findKey: (did: string) => keys.get(did),
    isSpent: (output: { readonly transaction_id: string; readonly output_index: number }) =>
      spent.has(`${output.transaction_id}/${output.output_index}`),
    assertNew(transaction: SignedTransaction): void {
      if (indexOf.has(transaction.id)) throw new LedgerDamaged('its transaction is already in the log')
      if (certificates.findStanding(transaction, indexOf) !== undefined)
        throw new LedgerDamaged('its certificate is already in the log')
    },
    add(transaction: SignedTransaction, index: number): void {
      indexOf.set(transaction.id, index)
      for (const { id, outputIndex } of spendings({ index, transaction })) spent.add(`${id}/${outputIndex}`)
      const signedBy = signerOf(transaction)
      // The same text for all entries of a key, because a log has many.
      const did = signedBy === undefined ? undefined : (signers.get(signedBy) ?? signedBy)
      if (did !== undefined) signers.set(did, did)
      certificates.add(certificateHash(transaction, 'jsonHash'), { index, signer: did })
      const key = did === undefined ? undefined : keyAfter(transaction, { did, before: keys.get(did) })
      if (did !== undefined && key !== undefined) keys.set(did, key)
    },
  }
}

const correctedIds = (transaction: SignedTransaction): readonly string[] => {
  const correction = readCorrection(transaction)
  if (correction === undefined || correction.action === 'revoke-key') return []
  const { transactionId } = correction
  return correction.action === 'replace' ? [transactionId, correction.replacedBy] : [transactionId]
}

const readAt = async (
  folder: TileFolder,
  { index, size }: { readonly index: number | undefined; readonly size: number },
): Promise<SignedTransaction | undefined> => {
  if (index === undefined) return undefined
  const first = index - (index % tileWidth)
  const bundle = await folder.readBundle({
    index: first / tileWidth,
    width: Math.min(tileWidth, size - first),
  })
  const entry = bundle[index - first]
  return entry === undefined ? undefined : readVerifiedEntry(entry).transaction
}

/** Finds the block of each entry, in the order of the entries. */
const blockFinder = ({ files }: TileFolder): ((index: number) => Promise<Block>) => {
  const blocks = streamBlocks(files)
  let block: Block | undefined
  return async (index) => {
    while (block === undefined || block.firstIndex + block.entryCount <= index) {
      const next = await blocks.next()
      if (next.done === true) throw new LedgerDamaged(`The file "blocks" ends before entry ${index}`)
      block = next.value
    }
    if (block.firstIndex > index)
      throw new LedgerDamaged(`The file "blocks" has no block with entry ${index}`)
    return block
  }
}
