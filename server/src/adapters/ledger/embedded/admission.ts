import { checkAgainst, InvalidTransaction, type SignedTransaction, verifyTransaction } from '@millseal/proof'
import { nodePrimitives } from '../../../lib/primitives.ts'
import { TransactionRefused } from '../../../ports/ledger/ledger.ts'
import { LedgerDamaged } from './damaged.ts'
import { certificateHash, spendings } from './index-rows.ts'
import type { KnownEntries } from './known-entries.ts'

export type Verdict =
  /** `at` is its place in the block to come. */
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
 * Judges candidates one after the other, as if each had been appended before the next came. What the ledger has already,
 * by id or by certificate, is not an error: the one entry is the answer.
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

/** What needs no ledger to be known: its form, its id, its signatures. */
export const assertValid = (transaction: SignedTransaction): SignedTransaction => {
  try {
    return verifyTransaction(transaction, nodePrimitives)
  } catch (error) {
    throw error instanceof InvalidTransaction ? asRefused(error) : error
  }
}

const asRefused = (error: InvalidTransaction): TransactionRefused =>
  new TransactionRefused(error.message, error.fault === 'DoubleSpend' ? 'conflict' : 'invalid')

/** All that the candidates touch, read at once. */
const loadState = async (candidates: readonly SignedTransaction[], source: AdmissionSource) => {
  const inputs = candidates.flatMap((transaction) =>
    spendings({ index: 0, transaction }).map(({ id, output_index }) => ({ id, output_index })),
  )
  const known = await source.findKnown({
    ids: [...new Set([...candidates.map(({ id }) => id), ...inputs.map(({ id }) => id)])],
    jsonHashes: [...new Set(candidates.flatMap((candidate) => certificateHash(candidate, 'jsonHash') ?? []))],
  })
  const indexOf = new Map<string, number>()
  for (const { index, id, json_hash } of known) {
    indexOf.set(id, index)
    if (json_hash !== null) indexOf.set(json_hash, index)
  }
  const transactions = new Map<string, SignedTransaction>()
  for (const id of new Set(inputs.map((input) => input.id))) {
    const index = indexOf.get(id)
    if (index === undefined) continue
    const transaction = await source.readTransaction(index)
    if (transaction.id !== id) throw new LedgerDamaged(`The index takes entry ${index} for transaction ${id}`)
    transactions.set(id, transaction)
  }
  const places = inputs.flatMap(({ id, output_index }) => {
    const index = indexOf.get(id)
    return index === undefined ? [] : [{ index, outputIndex: output_index }]
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
      for (const { id, output_index } of spendings({ index, transaction })) {
        spent.add(keyOf(id, output_index))
      }
    },
  }
}
