import { createHash } from 'node:crypto'
import { utcDay } from '../../../lib/utc-day.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { count, type Counted, lockNumber, readNumberSince } from './daily-quotas.store.ts'

const dayMs = 86_400_000

/** Without a VAT id, nobody uses up what others with the same VAT id may have. */
type Holders = { readonly userId: string; readonly vatId?: string }
type Lasting = { readonly counted: Counted; readonly holders: Holders; readonly now: Date }

/** A company that is deleted and founded again has another id, and the same VAT id. As a UUID of version 8. */
export const holderOfVatId = (vatId: string): string => {
  const hex = createHash('sha256').update(`vat-id/${vatId.toUpperCase()}`).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

/** In the order of their ids: two transactions must not wait for each other. */
const idsOf = ({ userId, vatId }: Holders): readonly string[] =>
  [userId.toLowerCase(), ...(vatId === undefined ? [] : [holderOfVatId(vatId)])].toSorted()

/** The larger number of its holders in the last days. */
export const readLasting = async (
  tx: Transaction,
  { counted, holders, now, days }: Lasting & { readonly days: number },
): Promise<number> => {
  const since = utcDay(new Date(now.getTime() - days * dayMs))
  return readNumberSince(tx, { counted, since }, idsOf(holders))
}

/** Other transactions that lock the same wait until this one ends. Lock before you read what you count. */
export const lockLasting = async (tx: Transaction, { counted, holders }: Lasting): Promise<void> => {
  for (const id of idsOf(holders)) await lockNumber(tx, { counted }, id)
}

/** Counts one for each holder. */
export const countLasting = async (tx: Transaction, { counted, holders, now }: Lasting): Promise<void> => {
  for (const companyId of idsOf(holders))
    await count(tx, { counted, day: utcDay(now) }, { companyId, used: 1, isRefused: false })
}
