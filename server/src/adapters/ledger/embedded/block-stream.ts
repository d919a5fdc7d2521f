import { assetIdOf } from '@millseal/proof'
import type { Logger } from 'pino'
import type { LedgerBlock, LedgerFaceSource } from '../../../ports/ledger/ledger-face.ts'

export type BlockStream = {
  announce(height: number): void
  readonly subscribe: LedgerFaceSource['onCommitted']
}

/** Reports transactions in the order of their blocks. Blocks are only read while there are listeners. */
export const createBlockStream = ({
  readBlock,
  log,
}: {
  readonly readBlock: (height: number) => Promise<LedgerBlock | undefined>
  readonly log: Logger
}): BlockStream => {
  const listeners = new Set<Parameters<LedgerFaceSource['onCommitted']>[0]>()
  let reporting = Promise.resolve()

  const report = async (height: number): Promise<void> => {
    try {
      for (const transaction of (await readBlock(height))?.transactions ?? []) {
        const committed = { transactionId: transaction.id, assetId: assetIdOf(transaction), height }
        for (const listener of listeners) listener(committed)
      }
    } catch (error) {
      log.warn({ err: error, height }, 'a block of the ledger could not be reported to its listeners')
    }
  }
  return {
    announce(height) {
      if (listeners.size > 0) reporting = reporting.then(() => report(height))
    },
    subscribe(listener, signal) {
      if (signal.aborted) return
      listeners.add(listener)
      signal.addEventListener('abort', () => listeners.delete(listener), { once: true })
    },
  }
}
