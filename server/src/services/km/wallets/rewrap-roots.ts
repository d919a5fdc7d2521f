import type { Database } from '../../../ports/database/database.ts'
import type { Vault } from '../../../ports/vault/vault.ts'
import { lockRoots, saveRoot } from './wallets.store.ts'

const batch = 100

/**
 * Lays every root under the newest key, a batch at a time, so that wallets go on signing meanwhile. What was done is
 * recognised: after a crash it simply runs again. Resolves with the number of roots that moved.
 */
export const rewrapRoots = async ({
  database,
  vault,
}: {
  readonly database: Database
  readonly vault: Vault
}): Promise<number> => {
  let moved = 0
  for (let after: string | undefined; ; ) {
    const { last, done } = await database.transaction(async (tx) => {
      const rows = await lockRoots(tx, { after, limit: batch })
      let changed = 0
      for (const { id, mode, sealedRoot } of rows) {
        const sealed = await vault.rewrap({ walletId: id, mode, sealed: sealedRoot })
        if (sealed === undefined) continue
        await saveRoot(tx, id, sealed)
        changed += 1
      }
      return { last: rows.at(-1)?.id, done: changed }
    })
    moved += done
    if (last === undefined) return moved
    after = last
  }
}
