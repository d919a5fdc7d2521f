import { because } from '@millseal/contract/reasons'
import {
  InvalidTransaction,
  type Primitives,
  readCorrection,
  signerOf,
  type SignedTransaction,
  type VerifiedTransaction,
  verifyWithText,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import {
  assertAllowed,
  besideOf,
  certificateHash,
  createCertificateEntries,
  keyAfter,
  type RecordedKey,
  spentBy,
} from '@millseal/replay'
import { type LedgerUnavailable, TransactionRefused } from '../../../ports/ledger/ledger.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import type { KnownEntries, KnownEntry } from './known-entries.ts'

export type Verdict =
  /** `at`: its position in the next block. */
  | { readonly kind: 'new'; readonly at: number }
  | { readonly kind: 'known'; readonly index: number }
  | { readonly kind: 'refused'; readonly error: TransactionRefused }
  | { readonly kind: 'postponed'; readonly error: LedgerUnavailable }

export type Admission = {
  /** In the order of the candidates. */
  readonly verdicts: readonly Verdict[]
  readonly admitted: readonly VerifiedTransaction[]
}

export type AdmissionSource = KnownEntries & {
  readTransaction(index: number): Promise<SignedTransaction>
  findKey(did: string): Promise<RecordedKey | undefined>
}

/**
 * Decides about candidates one after the other, as if each was appended before the next. A candidate whose id or
 * certificate is already on the ledger is not an error: its verdict names the existing entry.
 */
export const admit = async (
  candidates: readonly VerifiedTransaction[],
  {
    source,
    operator,
    nextIndex,
  }: { readonly source: AdmissionSource; readonly operator: string; readonly nextIndex: number },
): Promise<Admission> => {
  const state = await loadState(
    candidates.map(({ transaction }) => transaction),
    source,
  )
  const admitted: VerifiedTransaction[] = []
  const verdicts = candidates.map((verified): Verdict => {
    const { transaction: candidate } = verified
    const known = state.indexOf.get(candidate.id) ?? state.findCertificate(candidate)
    if (known !== undefined) return { kind: 'known', index: known }
    try {
      assertAllowed(candidate, { ...state, operator }, nodePrimitives)
    } catch (error) {
      if (error instanceof InvalidTransaction) return { kind: 'refused', error: asRefused(error) }
      throw error
    }
    const at = admitted.push(verified) - 1
    state.add(candidate, nextIndex + at)
    return { kind: 'new', at }
  })
  return { verdicts, admitted }
}

/** Nothing new is appended; only what was recorded before is answered. */
export const postponed = (
  { verdicts }: Admission,
  { size, refused }: { readonly size: number; readonly refused: LedgerUnavailable },
): Admission => ({
  admitted: [],
  verdicts: verdicts.map((verdict) =>
    verdict.kind === 'known' && verdict.index < size ? verdict : { kind: 'postponed', error: refused },
  ),
})

/** An entry of a log has at most 65,535 bytes, and its time takes 25. */
const maxTransactionBytes = 65_510

/** Checks what does not depend on the ledger: form, size, id and signatures. */
export const assertValid = (
  transaction: SignedTransaction,
  primitives: Primitives = nodePrimitives,
): VerifiedTransaction => {
  try {
    const verified = verifyWithText(transaction, primitives)
    assertSmall(verified)
    return verified
  } catch (error) {
    throw error instanceof InvalidTransaction ? asRefused(error) : error
  }
}

const assertSmall = ({ text }: VerifiedTransaction): void => {
  const bytes = Buffer.byteLength(text)
  if (bytes > maxTransactionBytes)
    throw new TransactionRefused(
      because('transaction_too_large', { bytes, most: maxTransactionBytes.toLocaleString('en') }),
    )
}

const asRefused = (error: InvalidTransaction): TransactionRefused =>
  new TransactionRefused(error.message, error.fault === 'DoubleSpend' ? 'conflict' : 'invalid')

/** Reads everything that the candidates refer to at once. */
const loadState = async (candidates: readonly SignedTransaction[], source: AdmissionSource) => {
  const inputs = candidates.flatMap(spentBy)
  const corrected = correctedBy(candidates)
  const known = await source.findKnown({
    ids: [...new Set([...candidates.map(({ id }) => id), ...inputs.map(({ id }) => id), ...corrected.ids])],
    jsonHashes: [...new Set(candidates.flatMap((candidate) => certificateHash(candidate, 'jsonHash') ?? []))],
  })
  const indexOf = new Map<string, number>()
  for (const { index, id } of known) indexOf.set(id, index)
  const certificates = await entriesOfCertificates(candidates, { known, source })
  const transactions = new Map<string, SignedTransaction>()
  for (const id of new Set([...inputs.map((input) => input.id), ...corrected.ids])) {
    const index = indexOf.get(id)
    if (index === undefined) continue
    const transaction = await source.readTransaction(index)
    if (transaction.id !== id)
      throw new LedgerDamaged(
        `The index names entry ${index} for transaction ${id}, which is a different one`,
      )
    transactions.set(id, transaction)
  }
  const keys = new Map<string, RecordedKey | undefined>()
  for (const did of corrected.dids) keys.set(did, await source.findKey(did))
  const places = inputs.flatMap(({ id, outputIndex }) => {
    const index = indexOf.get(id)
    return index === undefined ? [] : [{ index, outputIndex }]
  })
  const spent = new Set(await source.findSpent(places))
  const keyOf = (id: string, outputIndex: number) => `${indexOf.get(id)}/${outputIndex}`
  return {
    indexOf,
    findCertificate: (candidate: SignedTransaction) => certificates.findStanding(candidate, indexOf),
    findTransaction: (id: string) => transactions.get(id),
    findKey: (did: string) => keys.get(did),
    isSpent: (output: { readonly transaction_id: string; readonly output_index: number }) =>
      spent.has(keyOf(output.transaction_id, output.output_index)),
    add(transaction: SignedTransaction, index: number) {
      indexOf.set(transaction.id, index)
      const signer = signerOf(transaction)
      certificates.add(certificateHash(transaction, 'jsonHash'), { index, signer })
      transactions.set(transaction.id, transaction)
      for (const did of keys.keys()) keys.set(did, keyAfter(transaction, { did, before: keys.get(did) }))
      for (const { id, outputIndex } of spentBy(transaction)) spent.add(keyOf(id, outputIndex))
    },
  }
}

/** Their signers are read only where a candidate wants to stand beside them. */
const entriesOfCertificates = async (
  candidates: readonly SignedTransaction[],
  { known, source }: { readonly known: readonly KnownEntry[]; readonly source: AdmissionSource },
): Promise<ReturnType<typeof createCertificateEntries>> => {
  const withOthers = new Set(
    candidates
      .filter((candidate) => besideOf(candidate) !== undefined)
      .map((candidate) => certificateHash(candidate, 'jsonHash')),
  )
  const certificates = createCertificateEntries()
  for (const { index, jsonHash } of known) {
    const signer = withOthers.has(jsonHash) ? signerOf(await source.readTransaction(index)) : undefined
    certificates.add(jsonHash, { index, signer })
  }
  return certificates
}

/** What the corrections among the candidates are about. Malformed ones are refused later. */
const correctedBy = (candidates: readonly SignedTransaction[]) => {
  const ids: string[] = []
  const dids = new Set<string>()
  for (const candidate of candidates) {
    const correction = readIfValid(candidate)
    if (correction?.action === 'revoke-key') dids.add(correction.did)
    else if (correction !== undefined) ids.push(correction.transactionId)
    if (correction?.action === 'replace') ids.push(correction.replacedBy)
  }
  return { ids, dids }
}

const readIfValid = (transaction: SignedTransaction): ReturnType<typeof readCorrection> => {
  try {
    return readCorrection(transaction)
  } catch (error) {
    if (error instanceof InvalidTransaction) return undefined
    throw error
  }
}
