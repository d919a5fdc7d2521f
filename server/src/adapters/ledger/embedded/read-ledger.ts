import { type Hash, leafHash, type SignedTransaction, tileWidth } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { remember } from '../../../lib/remember.ts'
import type { LedgerEntry } from '../../../ports/ledger/ledger.ts'
import { type Entry, readVerifiedEntry } from '@millseal/replay'
import { findDamageOfEntry } from './find-damage.ts'
import type { Place } from './index-reader.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import { startOfBundle } from './read-entries.ts'
import type { TileFolder } from './tile-folder.ts'

/** An entry that was verified, and its hash. */
export type VerifiedEntry = Entry & { readonly leaf: Hash }

/** Reads entries by their place. Trusts neither the index nor the files: every entry returned was verified. */
export type EntryReader = {
  read(place: Place, expected?: (transaction: SignedTransaction) => boolean): Promise<LedgerEntry>
  readVerified(place: Place): Promise<VerifiedEntry>
}

/** An entry is often requested again soon, for its PDF or proof. Entries never change, and these were verified. */
const maxRecent = 1_000

export const createEntryReader = (folder: TileFolder): EntryReader => {
  const recent = new Map<number, VerifiedEntry>()
  const readVerified = async (place: Place): Promise<VerifiedEntry> => {
    const { index } = place
    const entry = recent.get(index) ?? verified(await readBytes(folder, place))
    if (entry === undefined) throw await findDamageOfEntry(folder, place)
    remember(recent, { key: index, value: entry, atMost: maxRecent })
    return entry
  }
  return {
    readVerified,
    async read(place, expected = () => true) {
      const { height, index, committedAt } = place
      const { transaction, time } = await readVerified(place)
      if (!expected(transaction))
        throw new LedgerDamaged(`the index in the database names entry ${index}, which is a different one`)
      return { transaction, height, index, timestamp: time === undefined ? committedAt : new Date(time) }
    },
  }
}

const readBytes = (
  folder: TileFolder,
  { index, size, bundleOffset, bundleBytes }: Place,
): Promise<Uint8Array> => {
  const first = startOfBundle(index)
  const place = { index: first / tileWidth, width: Math.min(tileWidth, size - first) }
  return folder.readEntry(place, { offset: bundleOffset, length: bundleBytes })
}

/** Undefined if the bytes are not a valid entry. */
export const verified = (bytes: Uint8Array): VerifiedEntry | undefined => {
  try {
    return {
      ...readVerifiedEntry(bytes, nodePrimitives),
      leaf: leafHash(bytes, nodePrimitives),
    }
  } catch {
    return undefined
  }
}
