import type { Selectable } from 'kysely'
import { type Query } from '../ports/database/database.ts'
import type { Idempotency } from '../ports/database/tables.ts'

export type Slot = Pick<Selectable<Idempotency>, 'principal' | 'operation' | 'keyHash'>
export const findAnswer = async (
  query: Query,
  { principal, operation, keyHash }: Slot,
  notBefore: Date,
): Promise<Pick<Selectable<Idempotency>, 'fingerprint' | 'status' | 'answer'> | undefined> =>
  query
    .selectFrom('idempotency')
    .select(['fingerprint', 'status', 'answer'])
    .where('principal', '=', principal)
    .where('operation', '=', operation)
    .where('keyHash', '=', keyHash)
    .where('createdAt', '>', notBefore)
    .executeTakeFirst()

/** Returns true if this request is the first with its key. Waits for a concurrent one to commit or roll back. */
export const claimSlot = async (
  tx: Query,
  slot: Slot,
  entry: { fingerprint: Uint8Array; status: number; now: Date; notBefore: Date },
): Promise<boolean> => {
  const { fingerprint, status, now: createdAt, notBefore } = entry
  const claimed = await tx
    .insertInto('idempotency')
    .values({ ...slot, fingerprint, status, answer: null, createdAt })
    .onConflict((conflict) =>
      conflict
        .columns(['principal', 'operation', 'keyHash'])
        .doUpdateSet({ fingerprint, status, answer: null, createdAt })
        .where('idempotency.createdAt', '<=', notBefore),
    )
    .returning('status')
    .executeTakeFirst()
  return claimed !== undefined
}

export const storeAnswer = async (
  tx: Query,
  { principal, operation, keyHash }: Slot,
  answer: Uint8Array,
): Promise<void> => {
  await tx
    .updateTable('idempotency')
    .set({ answer })
    .where('principal', '=', principal)
    .where('operation', '=', operation)
    .where('keyHash', '=', keyHash)
    .execute()
}

export const deleteAnswersBefore = async (query: Query, before: Date): Promise<void> => {
  await query.deleteFrom('idempotency').where('createdAt', '<=', before).execute()
}
