import { checkAgainst, InvalidTransaction, type SignedTransaction, verifyTransaction } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { TransactionRefused } from '../../../ports/ledger/ledger.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import { certificateHash, spendings } from './index-rows.ts'
import type { KnownEntries } from './known-entries.ts'

export type Verdict =
  /** `at`: its position in the next block. */
  | { readonly kind: 'new'; readonly at: number }
  | { readonly kind: 'known'; readonly index: number }
  | { readonly kind: 'refused'; readonly error: TransactionRefused }

export type Admission = {
  /** In the order of the candidates. */
  readonly verdicts: readonly Verdict[]
  readonly admitted: readonly SignedTransaction[]
}

export type AdmissionSource = KnownEntries & {
  readTransaction(index: number): Promise<SignedTransaction>
}

/**
 * Decides about candidates one after the other, as if each was appended before the next. A candidate whose id or
 * certificate is already on the ledger is not an error: its verdict names the existing entry.
 */
export const admit = async (
  candidates: readonly SignedTransaction[],
  { source, nextIndex }: { readonly source: AdmissionSource; readonly nextIndex: number },
): Promise<Admission> => {
  const state = await loadState(candidates, source)
  const admitted: SignedTransaction[] = []
  const verdicts = candidates.map((candidate): Verdict => {
    const hash = certificateHash(candidate, 'jsonHash')
    const known = state.indexOf.get(candidate.id) ?? (hash === null ? undefined : state.indexOf.get(hash))
    if (known !== undefined) return { kind: 'known', index: known }
    try {
      checkAgainst(candidate, state, nodePrimitives)
    } catch (error) {
      if (error instanceof InvalidTransaction) return { kind: 'refused', error: asRefused(error) }
      throw error
    }
    const at = admitted.push(candidate) - 1
    state.add(candidate, nextIndex + at)
    return { kind: 'new', at }
  })
  return { verdicts, admitted }
}

/** Checks what does not depend on the ledger: form, id and signatures. */
export const assertValid = (transaction: SignedTransaction): SignedTransaction => {
  try {
    return verifyTransaction(transaction, nodePrimitives)
  } catch (error) {
    throw error instanceof InvalidTransaction ? asRefused(error) : error
  }
}

const asRefused = (error: InvalidTransaction): TransactionRefused =>
  new TransactionRefused(error.message, error.fault === 'DoubleSpend' ? 'conflict' : 'invalid')

/** Reads everything that the candidates refer to at once. */
const loadState = async (candidates: readonly SignedTransaction[], source: AdmissionSource) => {
  const inputs = candidates.flatMap((transaction) =>
    spendings({ index: 0, transaction }).map(({ id, outputIndex }) => ({ id, outputIndex })),
  )
  const known = await source.findKnown({
    ids: [...new Set([...candidates.map(({ id }) => id), ...inputs.map(({ id }) => id)])],
    jsonHashes: [...new Set(candidates.flatMap((candidate) => certificateHash(candidate, 'jsonHash') ?? []))],
  })
  const indexOf = new Map<string, number>()
  for (const { index, id, jsonHash } of known) {
    indexOf.set(id, index)
    if (jsonHash !== null) indexOf.set(jsonHash, index)
  }
  const transactions = new Map<string, SignedTransaction>()
  for (const id of new Set(inputs.map((input) => input.id))) {
    const index = indexOf.get(id)
    if (index === undefined) continue
    const transaction = await source.readTransaction(index)
    if (transaction.id !== id)
      throw new LedgerDamaged(
        `The index names entry ${index} for transaction ${id}, which is a different one`,
      )
    transactions.set(id, transaction)
  }
  const places = inputs.flatMap(({ id, outputIndex }) => {
    const index = indexOf.get(id)
    return index === undefined ? [] : [{ index, outputIndex }]
  })
  const spent = new Set(await source.findSpent(places))
  const keyOf = (id: string, outputIndex: number) => `${indexOf.get(id)}/${outputIndex}`
  return {
    indexOf,
    findTransaction: (id: string) => transactions.get(id),
    isSpent: (output: { readonly transaction_id: string; readonly output_index: number }) =>
      spent.has(keyOf(output.transaction_id, output.output_index)),
    add(transaction: SignedTransaction, index: number) {
      indexOf.set(transaction.id, index)
      const hash = certificateHash(transaction, 'jsonHash')
      if (hash !== null) indexOf.set(hash, index)
      transactions.set(transaction.id, transaction)
      for (const { id, outputIndex } of spendings({ index, transaction })) spent.add(keyOf(id, outputIndex))
    },
  }
}
