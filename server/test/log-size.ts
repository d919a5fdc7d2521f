import { checkpointIn } from '@millseal/proof'
import type { LedgerInstallation } from './ledger-installation.ts'

/** The entries that the checkpoint of the test log covers: transactions, and a state leaf for each batch. */
export const sizeOf = async ({ files }: Pick<LedgerInstallation, 'files'>): Promise<number> =>
  checkpointIn(String(await files.read('checkpoint'))).size

export const countTransactions = async ({
  database,
}: Pick<LedgerInstallation, 'database'>): Promise<number> => {
  const { length } = await database.query
    .selectFrom('ledgerEntries')
    .select('index')
    .where('mode', '=', 'test')
    .where('operation', '<>', 'STATE')
    .execute()
  return length
}
