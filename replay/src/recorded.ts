import { type Primitives, signerOf, type SignedTransaction } from '@millseal/proof'
import { type EntryOfCertificate } from './certificates.ts'
import { keyAfter, type RecordedKey } from './corrections.ts'
import { certificateHash, readVerifiedEntry, spentBy } from './entry.ts'
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
  readonly signers: readonly Signer[]
  /** `index * outputsPerEntry + outputIndex` */
  readonly spent: readonly number[]
}

type Signer = { readonly did: string; readonly key: RecordedKey | undefined }

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

export const restoreRecorded = (
  state: RecordedState,
  {
    primitives,
    readEntry,
  }: { readonly primitives: Primitives; readonly readEntry: (index: number) => Promise<Uint8Array> },
) => {
  const salted = { salt: state.salt, hashing: primitives }
  const ids = restoreHashIndex(state.ids, salted)
  const certificates = restoreHashIndex(state.certificates, salted)
  const beside = new Map(state.beside.map(([first, others]) => [first, [...others]]))
  const signers = state.signers.map((signer) => ({ ...signer }))
  const numberOf = new Map(signers.map(({ did }, at) => [did, at + 1]))
  const spent = new Set(state.spent)
  let signersOf = state.signerOf

  const readTransaction = async (index: number): Promise<SignedTransaction> =>
    readVerifiedEntry(await readEntry(index), primitives).transaction
  const findId = async (
    id: string,
  ): Promise<{ index: number; transaction: SignedTransaction } | undefined> => {
    for (const index of ids.find(id)) {
      const transaction = await readTransaction(index)
      if (transaction.id === id) return { index, transaction }
    }
    return undefined
  }
  const firstOf = async (hash: string): Promise<number | undefined> => {
    for (const index of certificates.find(hash))
      if (certificateHash(await readTransaction(index), 'jsonHash') === hash) return index
    return undefined
  }
  const entryAt = (index: number): EntryOfCertificate => ({
    index,
    signer: signers[(signersOf[index] ?? 0) - 1]?.did,
  })
  const numberOfSigner = (did: string): number => {
    const known = numberOf.get(did)
    if (known !== undefined) return known
    const added = signers.push({ did, key: undefined })
    numberOf.set(did, added)
    return added
  }
  return {
    findId,
    findKey: (did: string): RecordedKey | undefined => signers[(numberOf.get(did) ?? 0) - 1]?.key,
    isSpent: (index: number, outputIndex: number) => spent.has(index * outputsPerEntry + outputIndex),
    /** The entries of the certificate with this SHA-256, the first one first. */
    async entriesOf(hash: string | null): Promise<readonly EntryOfCertificate[]> {
      const first = hash === null ? undefined : await firstOf(hash)
      return first === undefined ? [] : [first, ...(beside.get(first) ?? [])].map(entryAt)
    },
    add(
      transaction: SignedTransaction,
      {
        index,
        first,
        indexOf,
      }: {
        readonly index: number
        /** The first entry of its certificate, if there is one. */
        readonly first: number | undefined
        /** Of the entries whose outputs it spends. */
        readonly indexOf: (id: string) => number | undefined
      },
    ): void {
      ids.add(transaction.id, index)
      for (const { id, outputIndex } of spentBy(transaction))
        spent.add((indexOf(id) ?? 0) * outputsPerEntry + outputIndex)
      const hash = certificateHash(transaction, 'jsonHash')
      if (first !== undefined) beside.set(first, [...(beside.get(first) ?? []), index])
      else if (hash !== null) certificates.add(hash, index)
      const did = signerOf(transaction)
      if (index >= signersOf.length) signersOf = longer(signersOf)
      if (did === undefined) return
      const number = numberOfSigner(did)
      signersOf[index] = number
      const signer = signers[number - 1]
      if (signer !== undefined) signer.key = keyAfter(transaction, { did, before: signer.key })
    },
    get state(): RecordedState {
      return {
        salt: state.salt,
        ids: ids.state,
        certificates: certificates.state,
        beside: [...beside],
        signerOf: signersOf,
        signers,
        spent: [...spent],
      }
    },
  }
}

const longer = (numbers: Uint32Array): Uint32Array => {
  const twice = new Uint32Array(numbers.length * 2)
  twice.set(numbers)
  return twice
}
