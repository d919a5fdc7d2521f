import type { SignedTransaction } from '@millseal/proof'
import { remember } from '../../../lib/remember.ts'
import type { Ledger, LedgerEntry } from '../../../ports/ledger/ledger.ts'
import type { LedgerFaceSource } from '../../../ports/ledger/ledger-face.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import type { IndexReader, Place } from './index-reader.ts'
import { certificateHash } from '@millseal/replay'
import type { EntryProver } from './entry-prover.ts'
import type { EntryReader } from './read-ledger.ts'

export type LedgerReading = Pick<
  Ledger,
  | 'find'
  | 'findCertificate'
  | 'findEntriesOf'
  | 'findByAsset'
  | 'findOutputs'
  | 'search'
  | 'proveRecords'
  | 'findCorrections'
> &
  Pick<LedgerFaceSource, 'findBlock'> & {
    readAt(index: number, expected: Expected): Promise<LedgerEntry>
  }

type Expected = (transaction: SignedTransaction) => boolean

const maxRecent = 2_000
const sha256Hex = /^[0-9a-f]{64}$/

/** For every process: the index says where an entry is, the files say what it is. */
export const createLedgerReading = ({
  index,
  entries,
  prover,
}: {
  readonly index: IndexReader
  readonly entries: EntryReader
  readonly prover: EntryProver
}): LedgerReading => {
  const readIfFound = async (place: Place | undefined, expected: Expected) =>
    place === undefined ? undefined : await entries.read(place, expected)
  const readAll = (places: readonly Place[]) => Promise.all(places.map((place) => entries.read(place)))
  // A certificate is usually followed by a request for its proof, and by the certificate again. Places never change.
  const recent = new Map<string, Place>()
  const findPlace = async (id: string) =>
    recent.get(id) ?? (sha256Hex.test(id) ? await index.findById(id) : undefined)
  return {
    find: async (id) => await readIfFound(await findPlace(id), (found) => found.id === id),
    async findCertificate(hash, file) {
      if (!sha256Hex.test(hash)) return undefined
      const key = `${file ?? 'any'} ${hash}`
      const place = recent.get(key) ?? (await index.findByHash(hash, file))
      if (place === undefined) return undefined
      const entry = await entries.read(
        place,
        (found) =>
          (file !== 'pdf' && certificateHash(found, 'jsonHash') === hash) ||
          (file !== 'json' && certificateHash(found, 'pdfHash') === hash),
      )
      for (const found of [key, entry.transaction.id])
        remember(recent, { key: found, value: place, atMost: maxRecent })
      return entry
    },
    findEntriesOf: entriesFinder({ index, entries, recent }),
    findByAsset: async (assetId, { operation, onlyLast = false } = {}) =>
      sha256Hex.test(assetId) ? await readAll(await index.findByAsset(assetId, { operation, onlyLast })) : [],
    async findOutputs(publicKey, { spent } = {}) {
      const found = await index.findOutputs(publicKey, spent)
      return found.map(({ id, outputIndex }) => ({ transactionId: id, outputIndex }))
    },
    search: async ({ words, within, limit }) => await readAll(await index.search({ words, within, limit })),
    async proveRecords({ transactionIds, subjects, withState = false }) {
      const found = await Promise.all(transactionIds.map(findPlace))
      const places = found.filter((place) => place !== undefined)
      return places.length < found.length ? undefined : await prover.prove({ places, subjects, withState })
    },
    findCorrections: async (subject) => await readAll(await index.findCorrections(subject)),
    async findBlock(height) {
      const places = await index.findByHeight(height)
      if (places === undefined) return undefined
      return { height, transactions: (await readAll(places)).map(({ transaction }) => transaction) }
    },
    async readAt(at, expected) {
      const entry = await readIfFound(await index.findByIndex(at), expected)
      if (entry === undefined) throw new LedgerDamaged(`Entry ${at} is missing from the index`)
      return entry
    },
  }
}

const entriesFinder =
  ({
    index,
    entries,
    recent,
  }: {
    readonly index: IndexReader
    readonly entries: EntryReader
    readonly recent: Map<string, Place>
  }): LedgerReading['findEntriesOf'] =>
  async (jsonHash) => {
    if (!sha256Hex.test(jsonHash)) return []
    const isWanted: Expected = (found) => certificateHash(found, 'jsonHash') === jsonHash
    const places = await index.findEntriesOf(jsonHash)
    return Promise.all(
      places.map(async (place) => {
        const entry = await entries.read(place, isWanted)
        remember(recent, { key: entry.transaction.id, value: place, atMost: maxRecent })
        return entry
      }),
    )
  }
