import { sql } from 'kysely'
import type { Database, Transaction } from '../../ports/database/database.ts'
import type { Keystore, SealedPlace } from '../../ports/keystore/keystore.ts'

const batch = 200

type SealedRow = { readonly id: string; readonly sealed: Uint8Array }

/**
 * Seals everything of one place anew under the key that seals now, a batch at a time, while the service goes on. What
 * was done is recognised: after a crash it simply runs again. Resolves with the number of values that moved.
 */
export const rewrapPlace = async (
  { database, keystore }: { readonly database: Database; readonly keystore: Keystore },
  place: SealedPlace,
): Promise<number> => {
  let moved = 0
  for (let after: string | undefined; ; ) {
    const { last, done } = await database.transaction(async (tx) => {
      const rows = await lockRows(tx, place, after)
      let changed = 0
      for (const { id, sealed } of rows) {
        if (keystore.isCurrent(sealed)) continue
        await saveRow(tx, place, { id, sealed: reseal(keystore, sealed, contextOf(place, id)) })
        changed += 1
      }
      return { last: rows.at(-1)?.id, done: changed }
    })
    moved += done
    if (last === undefined) return moved
    after = last
  }
}

const contextOf = ({ table, part }: SealedPlace, id: string): string =>
  [table, id, ...(part === undefined ? [] : [part])].join('/')

const reseal = (keystore: Keystore, sealed: Uint8Array, context: string): Uint8Array => {
  try {
    return keystore.seal(keystore.open(sealed, context), context)
  } catch (cause) {
    throw new Error(`${context}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** As the context of a sealed value writes the id of its row; bytes are text with a backslash and an x before them. */
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
