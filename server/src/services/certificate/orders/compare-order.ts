import type { CheckedOrder, CheckLine, Mode, OrderLine } from '@millseal/contract'
import {
  type Certificate,
  checkOrder,
  chooseLine,
  itemKey,
  orderIn,
  orderKey,
  withoutUndefined,
} from '@millseal/families'
import type { Query } from '../../../ports/database/database.ts'
import { shownLine } from '../checking/shown-line.ts'
import { findAcceptedAmounts, findLinesOfOrder, hasLines, type StoredLine } from './orders.store.ts'

export const lineOf = ({ content }: { readonly content: StoredLine['content'] }): OrderLine =>
  content as OrderLine

/** The items that certificates of a line may name: its own, and none if it is the only line of the order. */
export const itemKeysOf = (line: StoredLine, all: readonly StoredLine[]): readonly string[] =>
  all.length === 1 ? [line.itemKey, ''] : [line.itemKey]

/**
 * With the order line that somebody named, or that the certificate names. Undefined if nobody named one and the company keeps none:
 * once it keeps some, a certificate of another order is not what was ordered.
 */
export const compareOrder = async (
  query: Query,
  {
    companyId,
    mode,
    named,
  }: {
    readonly companyId: string
    /** Of the accepted certificates that are added up. */
    readonly mode: Mode
    readonly named?: { readonly order: string; readonly item: string | undefined } | undefined
  },
  certificate: Certificate,
): Promise<
  | {
      readonly order: CheckedOrder
      readonly lines: readonly CheckLine[]
      /** The requirement that the order line names. */
      readonly requirement: string | undefined
    }
  | undefined
> => {
  const printed = orderIn(certificate)
  const { order, item = printed.item } = named ?? printed
  const key = orderKey(order)
  const kept = key === '' ? [] : await findLinesOfOrder(query, { companyId, orderKey: key })
  if (kept.length === 0 && named === undefined && !(await hasLines(query, companyId))) return undefined
  const chosen = chooseLine(
    kept.map((stored) => ({ ...lineOf(stored), stored })),
    { order, item },
  )
  if (chosen.instead !== undefined) {
    const { result: verdict } = chosen.instead
    const lines = [shownLine(chosen.instead)]
    return { order: withoutUndefined({ order, item, verdict }), lines, requirement: undefined }
  }
  const { stored, ...line } = chosen.line
  const itemKeys = itemKeysOf(stored, kept)
  const without = [certificate.hash]
  const before = await findAcceptedAmounts(query, { companyId, mode, orderKey: key, itemKeys, without })
  const { verdict, lines } = checkOrder(certificate, { line, before })
  return {
    order: withoutUndefined({ order: line.order, item: line.item, hash: stored.hash, verdict }),
    lines: lines.map(shownLine),
    requirement: line.requirement,
  }
}

/** As the desk finds entries of the same line. */
export const orderKeysOf = (certificate: Certificate) => {
  const { order, item } = orderIn(certificate)
  const key = orderKey(order)
  return { orderKey: key === '' ? null : key, itemKey: itemKey(item) }
}
