import type { Query } from '../ports/database/database.ts'

type IdempotencyTables = {
  idempotency: {
    principal: string
    operation: string
    key_hash: Uint8Array
    fingerprint: Uint8Array
    status: number
    answer: Uint8Array | null
    created_at: Date
  }
}

export type Slot = { readonly principal: string; readonly operation: string; readonly keyHash: Uint8Array }
export type Remembered = {
  readonly fingerprint: Uint8Array
  readonly status: number
  readonly answer: Uint8Array | null
}

export const findRemembered = async (
  query: Query,
  slot: Slot,
  notBefore: Date,
): Promise<Remembered | undefined> =>
  query
    .withTables<IdempotencyTables>()
    .selectFrom('idempotency')
    .select(['fingerprint', 'status', 'answer'])
    .where('principal', '=', slot.principal)
    .where('operation', '=', slot.operation)
    .where('key_hash', '=', slot.keyHash)
    .where('created_at', '>', notBefore)
    .executeTakeFirst()

/** True when this request is the first with its key. Waits for a concurrent one to commit or to roll back. */
export const claimSlot = async (
  tx: Query,
  slot: Slot,
  entry: { fingerprint: Uint8Array; status: number; now: Date; notBefore: Date },
): Promise<boolean> => {
  const claimed = await tx
    .withTables<IdempotencyTables>()
    .insertInto('idempotency')
    .values({
      principal: slot.principal,
      operation: slot.operation,
      key_hash: slot.keyHash,
      fingerprint: entry.fingerprint,
      status: entry.status,
      answer: null,
      created_at: entry.now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['principal', 'operation', 'key_hash'])
        .doUpdateSet({
          fingerprint: entry.fingerprint,
          status: entry.status,
          answer: null,
          created_at: entry.now,
        })
        .where('idempotency.created_at', '<=', entry.notBefore),
    )
    .returning('status')
    .executeTakeFirst()
  return claimed !== undefined
}

export const rememberAnswer = async (tx: Query, slot: Slot, answer: Uint8Array): Promise<void> => {
  await tx
    .withTables<IdempotencyTables>()
    .updateTable('idempotency')
    .set({ answer })
    .where('principal', '=', slot.principal)
    .where('operation', '=', slot.operation)
    .where('key_hash', '=', slot.keyHash)
    .execute()
}

export const forgetBefore = async (query: Query, before: Date): Promise<void> => {
  await query
    .withTables<IdempotencyTables>()
    .deleteFrom('idempotency')
    .where('created_at', '<=', before)
    .execute()
}
