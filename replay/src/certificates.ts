import { signerOf, type SignedTransaction } from '@millseal/proof'
import { besideOf, certificateHash } from './entry.ts'

/** A certificate can have an entry of each of its signers, but no more than these. */
export const mostEntriesOfCertificate = 16

export type EntryOfCertificate = { readonly index: number; readonly signer: string | undefined }

/**
 * The entry that stands already for the certificate of this transaction; undefined if the log may contain it, too.
 * `entries` are those of the certificate, the first one first; `beside` is the one that the transaction names.
 */
export const standingEntry = (
  transaction: SignedTransaction,
  {
    entries,
    beside,
  }: { readonly entries: readonly EntryOfCertificate[]; readonly beside: number | undefined },
): number | undefined => {
  const [first] = entries
  if (first === undefined) return undefined
  const signer = signerOf(transaction)
  if (signer === undefined || beside !== first.index) return first.index
  const own = entries.find((entry) => entry.signer === signer)
  return own?.index ?? (entries.length < mostEntriesOfCertificate ? undefined : first.index)
}

/** Which entries certificates have: the first one, and those beside it, one for each signer. */
export const createCertificateEntries = () => {
  const byHash = new Map<string, EntryOfCertificate[]>()
  return {
    add(hash: string | null, entry: EntryOfCertificate): void {
      if (hash === null) return
      const entries = byHash.get(hash)
      if (entries === undefined) byHash.set(hash, [entry])
      else entries.push(entry)
    },
    /** The entry that the log has already for this transaction. Undefined if it may be appended. */
    findStanding: (transaction: SignedTransaction, indexOf: ReadonlyMap<string, number>) =>
      standingEntry(transaction, {
        entries: byHash.get(certificateHash(transaction, 'jsonHash') ?? '') ?? [],
        beside: indexOf.get(besideOf(transaction) ?? ''),
      }),
  }
}
