import { type Amount, isWithin } from '@millseal/families'
import type { Transaction } from '../../../ports/database/database.ts'
import { itemKeysOf, lineOf } from '../orders/compare-order.ts'
import { findAcceptedAmounts, findLinesOfOrder, lockLines, type StoredLine } from '../orders/orders.store.ts'
import { orderedOf } from './inbox-response.ts'
import type { StoredEntry } from './inbox.store.ts'

/**
 * Of entries that are accepted together, those that exceed their order line with each other and with what was accepted since they
 * were answered: each alone may be within it.
 */
export const findExceeding = async (
  tx: Transaction,
  entries: readonly StoredEntry[],
): Promise<ReadonlySet<string>> => {
  const byLine = Map.groupBy(entries, ({ ordered }) => orderedOf(ordered)?.hash)
  const hashes = [...byLine.keys()].filter((hash) => hash !== undefined)
  const [first] = entries
  if (first === undefined || hashes.length === 0) return new Set()
  const lines = await lockLines(tx, { companyId: first.companyId, hashes })
  const exceeding = new Set<string>()
  for (const line of lines) {
    const together = byLine.get(line.hash) ?? []
    if (await isExceeded(tx, line, together)) for (const { id } of together) exceeding.add(id)
  }
  return exceeding
}

const isExceeded = async (
  tx: Transaction,
  line: StoredLine,
  together: readonly StoredEntry[],
): Promise<boolean> => {
  const [first] = together
  if (first === undefined) return false
  const { companyId, mode } = first
  const { orderKey } = line
  const all = await findLinesOfOrder(tx, { companyId, orderKey })
  const contents = new Map(together.map(({ id, hash, amounts }) => [hash ?? id, amounts]))
  const before = await findAcceptedAmounts(tx, {
    companyId,
    mode,
    orderKey,
    itemKeys: itemKeysOf(line, all),
    without: [...contents.keys()],
  })
  const delivered = [...contents.values()].map((amounts) => JSON.parse(amounts ?? '[]') as readonly Amount[])
  return isWithin(lineOf(line), [...before, ...delivered]) !== true
}
