import { type Primitives, signerOf, type SignedTransaction } from '@millseal/proof'
import { type EntryOfCertificate } from './certificates.ts'
import { keyAfter, type RecordedKey } from './corrections.ts'
import { certificateHash, type Entry, readVerifiedEntry, spentBy } from './entry.ts'
import { emptyHashIndex, type HashIndexState, restoreHashIndex } from './hash-index.ts'

/** What later entries can refer to, in less than 100 bytes for an entry. */
export type RecordedState = {
  readonly salt: string
  /** By the ids of transactions. */
  readonly ids: HashIndexState
  /** By the SHA-256 of the JSON of certificates, their first entries. */
  readonly certificates: HashIndexState
  /** The other entries of certificates, by the first one. */
  readonly beside: readonly (readonly [number, readonly number[]])[]
  /** For each entry, the number of its signer; 0 if it has no single one. */
  readonly signerOf: Uint32Array
  readonly signers: readonly { readonly did: string; readonly key: RecordedKey | undefined }[]
  /** `index * outputsPerEntry + outputIndex` */
  readonly spent: readonly number[]
}

/** More than an entry has bytes. */
const outputsPerEntry = 65_536

export const nothingRecorded = (): RecordedState => ({
  salt: crypto.randomUUID(),
  ids: emptyHashIndex(),
  certificates: emptyHashIndex(),
  beside: [],
  signerOf: new Uint32Array(1_024),
  signers: [],
  spent: [],
})

export type Recorded = ReturnType<typeof restoreRecorded>

export type ReplaySource = {
  readonly primitives: Primitives
  /** Any entry that was added, with those of the call that is running. */
  readonly readEntry: (index: number) => Promise<Uint8Array>
  /** Called for each entry that the log may contain, in their order. State leaves have no transaction. */
  readonly onAdded?: (entry: Entry | undefined, index: number) => void
}

export const restoreRecorded = (state: RecordedState, { primitives, readEntry }: ReplaySource) => {
  const salted = { salt: state.salt, hashing: primitives }
  const ids = restoreHashIndex(state.ids, salted)
  const certificates = restoreHashIndex(state.certificates, salted)
  const beside = new Map(state.beside.map(([first, others]) => [first, [...others]]))
  const signers = restoreSigners(state)
  const spent = new Set(state.spent)

  const readTransaction = async (index: number): Promise<SignedTransaction> =>
    readVerifiedEntry(await readEntry(index), primitives).transaction
  return {
    /** The transaction with this id, and its entry. */
    findId: (id: string) => firstThat(ids.find(id), readTransaction, (found) => found.id === id),
    findKey: signers.findKey,
    isSpent: (index: number, outputIndex: number) => spent.has(index * outputsPerEntry + outputIndex),
    /** The entries of the certificate with this SHA-256, the first one first. */
    async entriesOf(hash: string | null): Promise<readonly EntryOfCertificate[]> {
      if (hash === null) return []
      const isOfIt = (found: SignedTransaction) => certificateHash(found, 'jsonHash') === hash
      const first = await firstThat(certificates.find(hash), readTransaction, isOfIt)
      return first === undefined ? [] : [first.index, ...(beside.get(first.index) ?? [])].map(signers.entryAt)
    },
    add(transaction: SignedTransaction, { index, first, indexOf }: Placed): void {
      ids.add(transaction.id, index)
      for (const { id, outputIndex } of spentBy(transaction))
        spent.add((indexOf(id) ?? 0) * outputsPerEntry + outputIndex)
      const hash = certificateHash(transaction, 'jsonHash')
      if (first !== undefined) beside.set(first, [...(beside.get(first) ?? []), index])
      else if (hash !== null) certificates.add(hash, index)
      signers.add(transaction, index)
    },
    get state(): RecordedState {
      return {
        salt: state.salt,
        ids: ids.state,
        certificates: certificates.state,
        beside: [...beside],
        ...signers.state,
        spent: [...spent],
      }
    },
  }
}

/** `first`: the first entry of its certificate, if there is one. `indexOf`: of the entries whose outputs it spends. */
type Placed = {
  readonly index: number
  readonly first: number | undefined
  readonly indexOf: (id: string) => number | undefined
}

/** A `HashIndex` names entries that may be meant. */
const firstThat = async (
  indices: readonly number[],
  read: (index: number) => Promise<SignedTransaction>,
  isMeant: (found: SignedTransaction) => boolean,
): Promise<{ readonly index: number; readonly transaction: SignedTransaction } | undefined> => {
  for (const index of indices) {
    const transaction = await read(index)
    if (isMeant(transaction)) return { index, transaction }
  }
  return undefined
}

/** Who signed which entry, and what the log knows of their keys. */
const restoreSigners = (state: RecordedState) => {
  const signers = state.signers.map((signer) => ({ ...signer }))
  const numberOf = new Map(signers.map(({ did }, at) => [did, at + 1]))
  let { signerOf: numbers } = state
  const numberFor = (did: string): number => {
    const known = numberOf.get(did)
    if (known !== undefined) return known
    const added = signers.push({ did, key: undefined })
    numberOf.set(did, added)
    return added
  }
  return {
    findKey: (did: string): RecordedKey | undefined => signers[(numberOf.get(did) ?? 0) - 1]?.key,
    entryAt: (index: number): EntryOfCertificate => ({
      index,
      signer: signers[(numbers[index] ?? 0) - 1]?.did,
    }),
    add(transaction: SignedTransaction, index: number): void {
      while (index >= numbers.length) numbers = longer(numbers)
      const did = signerOf(transaction)
      if (did === undefined) return
      const number = numberFor(did)
      numbers[index] = number
      const signer = signers[number - 1]
      if (signer !== undefined) signer.key = keyAfter(transaction, { did, before: signer.key })
    },
    get state() {
      return { signers, signerOf: numbers }
    },
  }
}

const longer = (numbers: Uint32Array): Uint32Array => {
  const twice = new Uint32Array(numbers.length * 2)
  twice.set(numbers)
  return twice
}
