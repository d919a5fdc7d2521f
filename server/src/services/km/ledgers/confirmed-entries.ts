import type { Mode } from '@millseal/contract'
import type { Confirmed } from '../../../ports/ledger/confirmations.ts'
import type { Ledgers } from './ledgers.ts'

/** What quorums of cosigners have confirmed of the logs of this service; nothing without cosigners. */
export type ConfirmedEntries = {
  /** By transaction. Null is skipped. */
  find(by: {
    readonly mode: Mode
    readonly transactionIds: readonly (string | null)[]
  }): Promise<ReadonlyMap<string, Confirmed>>
}

export const createConfirmedEntries = (ledgers: Ledgers): ConfirmedEntries => ({
  async find({ mode, transactionIds }) {
    const ids = transactionIds.filter((id) => id !== null)
    const { confirmation } = ledgers.embedded(mode)
    return confirmation === undefined || ids.length === 0 ? new Map() : await confirmation.find(ids)
  },
})
