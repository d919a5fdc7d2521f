import { directions } from '@millseal/contract'
import type { Database } from '../../../ports/database/database.ts'
import { readNextBlock } from './common-grams.store.ts'

/** Notes the common grams of all complete blocks. If the job is stopped before, the next one continues. */
export const readBlocks = async (
  { database }: { readonly database: Database },
  signal?: AbortSignal,
): Promise<void> => {
  for (const direction of directions)
    while (await readNextBlock(database.query, direction)) if (signal?.aborted === true) return
}
