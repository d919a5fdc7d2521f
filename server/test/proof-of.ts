import { writeTlogProof } from '@millseal/proof'
import type { Ledger } from '../src/ports/ledger/ledger.ts'

/** C2SP tlog-proof of a transaction that the log has. */
export const proofOf = async (ledger: Ledger, transactionId: string): Promise<string> => {
  const evidence = await ledger.proveRecords({ transactionIds: [transactionId], subjects: [] })
  const [proven] = evidence?.entries ?? []
  if (evidence === undefined || proven === undefined) throw new Error(`The log lacks ${transactionId}`)
  const { index, path } = proven
  return writeTlogProof({ index, path, checkpoint: evidence.checkpoint })
}
