import { type Mode, modes } from '@millseal/contract'
import type { Confirmed } from '../../../ports/ledger/confirmations.ts'
import type { Ledgers } from './ledgers.ts'

/** What quorums of cosigners have confirmed of the logs of this service; nothing without cosigners. */
export type ConfirmedEntries = {
  /** By transaction. Null is skipped. */
  find(by: {
    readonly mode: Mode
    readonly transactionIds: readonly (string | null)[]
  }): Promise<ReadonlyMap<string, Confirmed>>
  /** Waits until this transaction is confirmed, or until the signal aborts. */
  until(by: {
    readonly mode: Mode
    readonly transactionId: string
    readonly signal: AbortSignal
  }): Promise<Confirmed | undefined>
  /** How many entries of the log are confirmed. */
  readSize(mode: Mode): Promise<number>
  /** Calls the listener after each confirmation until the signal aborts. */
  listen(listener: () => void, signal: AbortSignal): void
  /** How many cosigners have signed a checkpoint, and how many there are; undefined without cosigners. */
  count(mode: Mode, checkpoint: string): { readonly signed: number; readonly of: number } | undefined
}

export const createConfirmedEntries = (ledgers: Ledgers): ConfirmedEntries => ({
  async find({ mode, transactionIds }) {
    const ids = transactionIds.filter((id) => id !== null)
    const { confirmation } = ledgers.embedded(mode)
    return confirmation === undefined || ids.length === 0 ? new Map() : await confirmation.find(ids)
  },
  async until({ mode, transactionId, signal }) {
    const { confirmation } = ledgers.embedded(mode)
    const look = async () => (await confirmation?.find([transactionId]))?.get(transactionId)
    return await confirmation?.until(look, signal)
  },
  readSize: async (mode) => (await ledgers.embedded(mode).confirmation?.readSize()) ?? 0,
  listen(listener, signal) {
    const look = (): Promise<undefined> => {
      listener()
      return Promise.resolve(undefined)
    }
    for (const mode of modes) void ledgers.embedded(mode).confirmation?.until(look, signal)
  },
  count: (mode, checkpoint) => ledgers.embedded(mode).confirmation?.count(checkpoint),
})
