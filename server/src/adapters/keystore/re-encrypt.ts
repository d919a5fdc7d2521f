import { sql } from 'kysely'
import type { Database, Transaction } from '../../ports/database/database.ts'
import type { EncryptedColumn, Keystore } from '../../ports/keystore/keystore.ts'

const batch = 200

type EncryptedRow = { readonly id: string; readonly encrypted: Uint8Array }

/**
 * Re-encrypts all values of one column with the current key, in batches, while the server runs. Values that already use
 * the current key are skipped, so it can run again after a crash. Returns the number of re-encrypted values.
 */
export const reEncryptColumn = async (
  { database, keystore }: { readonly database: Database; readonly keystore: Keystore },
  column: EncryptedColumn,
): Promise<number> => {
  let total = 0
  for (let after: string | undefined; ; ) {
    const { last, done } = await database.transaction(async (tx) => {
      const rows = await lockRows(tx, column, after)
      let changed = 0
      for (const { id, encrypted } of rows) {
        if (keystore.isCurrent(encrypted)) continue
        await saveRow(tx, column, { id, encrypted: reEncrypt(keystore, encrypted, contextOf(column, id)) })
        changed += 1
      }
      return { last: rows.at(-1)?.id, done: changed }
    })
    total += done
    if (last === undefined) return total
    after = last
  }
}

const contextOf = ({ table, part }: EncryptedColumn, id: string): string =>
  part === undefined ? `${table}/${id}` : `${table}/${id}/${part}`

const reEncrypt = (keystore: Keystore, encrypted: Uint8Array, context: string): Uint8Array => {
  try {
    return keystore.encrypt(keystore.decrypt(encrypted, context), context)
  } catch (cause) {
    throw new Error(`${context}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** The id as it is written in the context of the value: without the `\\x` that PostgreSQL puts before bytes. */
const idText = ({ id }: EncryptedColumn) => sql<string>`regexp_replace(${sql.ref(id)}::text, '^\\\\x', '')`

const lockRows = async (
  tx: Transaction,
  column: EncryptedColumn,
  after: string | undefined,
): Promise<readonly EncryptedRow[]> => {
  const { rows } = await sql<EncryptedRow>`
    select ${idText(column)} as id, ${sql.ref(column.name)} as encrypted from ${sql.table(column.table)}
    where ${sql.ref(column.name)} is not null and (${after ?? null}::text is null or ${idText(column)} > ${after ?? null})
    order by 1 limit ${batch} for update`.execute(tx)
  return rows
}

const saveRow = async (
  tx: Transaction,
  column: EncryptedColumn,
  { id, encrypted }: EncryptedRow,
): Promise<void> => {
  await sql`update ${sql.table(column.table)} set ${sql.ref(column.name)} = ${encrypted}
    where ${idText(column)} = ${id}`.execute(tx)
}
