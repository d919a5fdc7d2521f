import type { OrderLine } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Certificate } from '../certificate/read-certificate.ts'
import { factsOf } from '../facts/facts-of.ts'
import type { CheckLine } from '../requirements/requirement.ts'
import { itemKey, nameOfLine } from './order-line.ts'

type Named = { readonly order?: string | undefined; readonly item?: string | undefined }

/** The order that a certificate names. */
export const orderIn = (certificate: Certificate): Named => {
  const facts = factsOf(certificate)
  const first = (of: string) => facts.find((fact) => fact.of === of)?.value
  return { order: first('order'), item: first('order item') }
}

/** Of the lines of one order the one with the item, or the only one; else why there is none. */
export const chooseLine = <Line extends OrderLine>(
  lines: readonly Line[],
  { order, item }: Named,
): { readonly line: Line; readonly instead?: never } | { readonly instead: CheckLine } => {
  const instead = (
    of: string,
    line: { readonly result: CheckLine['result']; readonly reason: CheckLine['reason'] },
  ) => ({
    instead: { requirement: nameOfLine({ order: order ?? '–', item }), rule: `/${of}`, of, ...line },
  })
  if (order === undefined) {
    const reason = because('check_missing', { property: because('property_order'), about: '' })
    return instead('order', { result: 'missing', reason })
  }
  const [first] = lines
  if (first === undefined)
    return instead('order', { result: 'unknown', reason: because('order_unknown', { name: order }) })
  const found = lines.find((line) => itemKey(line.item) === itemKey(item))
  if (found !== undefined) return { line: found }
  if (lines.length === 1 && (item === undefined || first.item === undefined)) return { line: first }
  const reason =
    item === undefined
      ? because('order_item_unclear', { name: order })
      : because('order_item_unknown', { name: order, item })
  return instead('item', { result: 'unknown', reason })
}
