import { sql } from 'kysely'
import type { Database, Transaction } from '../../ports/database/database.ts'
import type { Keystore, SealedPlace } from '../../ports/keystore/keystore.ts'

const batch = 200

type SealedRow = { readonly id: string; readonly sealed: Uint8Array }

/**
 * Re-encrypts all values of one place with the current key, in batches, while the server runs. Values that already use
 * the current key are skipped, so it can run again after a crash. Returns the number of re-encrypted values.
 */
export const reEncryptPlace = async (
  { database, keystore }: { readonly database: Database; readonly keystore: Keystore },
  place: SealedPlace,
): Promise<number> => {
  let total = 0
  for (let after: string | undefined; ; ) {
    const { last, done } = await database.transaction(async (tx) => {
      const rows = await lockRows(tx, place, after)
      let changed = 0
      for (const { id, sealed } of rows) {
        if (keystore.isCurrent(sealed)) continue
        await saveRow(tx, place, { id, sealed: reEncrypt(keystore, sealed, contextOf(place, id)) })
        changed += 1
      }
      return { last: rows.at(-1)?.id, done: changed }
    })
    total += done
    if (last === undefined) return total
    after = last
  }
}

const contextOf = ({ table, part }: SealedPlace, id: string): string =>
  part === undefined ? `${table}/${id}` : `${table}/${id}/${part}`

const reEncrypt = (keystore: Keystore, sealed: Uint8Array, context: string): Uint8Array => {
  try {
    return keystore.seal(keystore.open(sealed, context), context)
  } catch (cause) {
    throw new Error(`${context}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** The id as it is written in the context of the value: without the `\\x` that PostgreSQL puts before bytes. */
const idText = ({ id }: SealedPlace) => sql<string>`regexp_replace(${sql.ref(id)}::text, '^\\\\x', '')`

const lockRows = async (
  tx: Transaction,
  place: SealedPlace,
  after: string | undefined,
): Promise<readonly SealedRow[]> => {
  const { rows } = await sql<SealedRow>`
    select ${idText(place)} as id, ${sql.ref(place.column)} as sealed from ${sql.table(place.table)}
    where ${sql.ref(place.column)} is not null and (${after ?? null}::text is null or ${idText(place)} > ${after ?? null})
    order by 1 limit ${batch} for update`.execute(tx)
  return rows
}

const saveRow = async (tx: Transaction, place: SealedPlace, { id, sealed }: SealedRow): Promise<void> => {
  await sql`update ${sql.table(place.table)} set ${sql.ref(place.column)} = ${sealed}
    where ${idText(place)} = ${id}`.execute(tx)
}
