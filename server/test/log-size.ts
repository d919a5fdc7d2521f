import assert from 'node:assert/strict'
import { checkpointIn, entriesPath, isStateLeaf, readEntries } from '@millseal/proof'
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

/** The transactions in the published files of a log that fills no tile. */
export const countPublished = async (
  read: (path: string) => Promise<Uint8Array | undefined>,
): Promise<number> => {
  const note = (await read('checkpoint')) ?? assert.fail('The log has no checkpoint')
  const { size } = checkpointIn(new TextDecoder().decode(note))
  if (size === 0) return 0
  const bundle = (await read(entriesPath({ index: 0, width: size }))) ?? assert.fail('The log has no entries')
  const entries = readEntries(bundle) ?? assert.fail('The entries cannot be read')
  return entries.filter((entry) => !isStateLeaf(entry)).length
}
