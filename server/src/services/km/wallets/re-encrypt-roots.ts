import type { Database } from '../../../ports/database/database.ts'
import type { Vault } from '../../../ports/vault/vault.ts'
import { lockRoots, saveRoot } from '../keys/wallets.store.ts'

const batch = 100

/**
 * Re-encrypts all roots with the newest key, in batches, so that wallets can sign in between. Skips roots that already
 * use the newest key, so it can run again after a crash. Returns the number of re-encrypted roots.
 */
export const reEncryptRoots = async ({
  database,
  vault,
}: {
  readonly database: Database
  readonly vault: Vault
}): Promise<number> => {
  let total = 0
  for (let after: string | undefined; ; ) {
    const { last, done } = await database.transaction(async (tx) => {
      const rows = await lockRoots(tx, { after, limit: batch })
      let changed = 0
      for (const { id, mode, encryptedRoot } of rows) {
        const encrypted = await vault.reEncrypt({ walletId: id, mode, encrypted: encryptedRoot })
        if (encrypted === undefined) continue
        await saveRoot(tx, id, encrypted)
        changed += 1
      }
      return { last: rows.at(-1)?.id, done: changed }
    })
    total += done
    if (last === undefined) return total
    after = last
  }
}
