import { signerOf, type SignedTransaction } from '@millseal/proof'
import { mostEntriesOfCertificate } from '../../../ports/ledger/ledger.ts'
import { besideOf, certificateHash } from './index-rows.ts'

type RecordedEntry = { readonly index: number; readonly signer: string | undefined }

/** Which entries certificates have: the first one, and those beside it, one for each signer. */
export const createCertificateEntries = () => {
  const byHash = new Map<string, RecordedEntry[]>()
  return {
    add(hash: string | null, entry: RecordedEntry): void {
      if (hash === null) return
      const entries = byHash.get(hash)
      if (entries === undefined) byHash.set(hash, [entry])
      else entries.push(entry)
    },
    /** The entry that the log has already for this transaction. Undefined if it may be appended. */
    findStanding(transaction: SignedTransaction, indexOf: ReadonlyMap<string, number>): number | undefined {
      const entries = byHash.get(certificateHash(transaction, 'jsonHash') ?? '') ?? []
      const [first] = entries
      const beside = besideOf(transaction)
      const signer = signerOf(transaction)
      if (first === undefined) return undefined
      const isBeside = beside !== undefined && signer !== undefined && indexOf.get(beside) === first.index
      if (!isBeside) return first.index
      const own = entries.find((entry) => entry.signer === signer)
      return own?.index ?? (entries.length < mostEntriesOfCertificate ? undefined : first.index)
    },
  }
}
