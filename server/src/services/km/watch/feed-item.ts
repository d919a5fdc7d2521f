import type { Mode } from '@millseal/contract'
import { type LedgerObject, signerOf } from '@millseal/proof'
import type { KmDependencies } from '../dependencies.ts'
import type { StoredMention } from './log-mentions.store.ts'
import type { MentionKind } from './mentions-of.ts'

export type FeedItem = {
  readonly kind: MentionKind
  readonly transactionId: string
  readonly index: number | undefined
  readonly time: Date | undefined
  readonly signer: string | undefined
  readonly asset: LedgerObject | null | undefined
}

/** The public content of the entry. Nothing for an entry of a log that was lost and continued from a backup. */
export const readItem = async (
  { ledgers }: KmDependencies,
  mode: Mode,
  { kind, transactionId }: StoredMention,
): Promise<readonly FeedItem[]> => {
  const entry = await ledgers.embedded(mode).find(transactionId)
  if (entry === undefined) return []
  const { transaction, index, timestamp } = entry
  return [
    {
      kind,
      transactionId,
      index,
      time: timestamp,
      signer: signerOf(transaction),
      asset: transaction.operation === 'CREATE' ? transaction.asset.data : undefined,
    },
  ]
}
