import type { OrderLine } from '@millseal/contract'
import type { CheckResult } from '@millseal/contract/vocabulary'
import { because } from '@millseal/contract/reasons'
import { heatsOf } from '../certificate/heats.ts'
import type { Certificate } from '../certificate/read-certificate.ts'
import { compare, plus, rational, readDecimal } from '../facts/decimal.ts'
import type { Fact } from '../facts/fact.ts'
import { factsOf } from '../facts/facts-of.ts'
import { accepted } from '../requirements/check-document.ts'
import { worstOf } from '../requirements/check-requirement.ts'
import { exactText } from '../requirements/compare.ts'
import type { CheckLine, LineOfRule } from '../requirements/requirement.ts'
import { withUnit } from '../self-check/finding.ts'
import { acceptedIn, type Amount, amountFacts, amountsIn, totalIn } from './amounts.ts'
import { checkSizes } from './check-sizes.ts'
import { itemKey, nameOfLine, orderKey } from './order-line.ts'

/** What is compared: the line, and what the certificates that were accepted for it say of their quantity. */
type Ordered = { readonly line: OrderLine; readonly before: readonly (readonly Amount[])[] }

/** Whether a certificate is what was ordered: the worst line is the verdict. */
export const checkOrder = (
  certificate: Certificate,
  { line, before }: Ordered,
): { readonly verdict: CheckResult; readonly lines: readonly CheckLine[] } => {
  const facts = factsOf(certificate)
  const about = (of: string): LineOfRule => ({ requirement: nameOfLine(line), rule: `/${of}`, of })
  const { item, grade, dimensions, quantity, unit, heats } = line
  const lines = [
    one(about('order'), facts, { of: 'order', wanted: line.order, isSame: sameBy(orderKey) }),
    ...(item === undefined
      ? []
      : [one(about('item'), facts, { of: 'order item', wanted: item, isSame: sameBy(itemKey) })]),
    ...(grade === undefined ? [] : checkGrade(about('grade'), facts, grade)),
    ...(dimensions === undefined ? [] : [checkSizes(about('dimensions'), dimensions, facts)]),
    ...(heats === undefined ? [] : checkHeats(about('heats'), certificate, heats)),
    ...(quantity === undefined || unit === undefined
      ? []
      : [checkQuantity(about('quantity'), facts, { quantity, unit, before })]),
  ]
  return { verdict: worstOf(lines), lines }
}

const properties = {
  order: because('property_order'),
  'order item': because('property_order_item'),
  grade: because('property_grade'),
}

const sameBy =
  (keyOf: (text: string) => string) =>
  (allowed: string, printed: string): boolean =>
    keyOf(allowed) === keyOf(printed)

const one = (
  base: LineOfRule,
  facts: readonly Fact[],
  {
    of,
    wanted,
    isSame,
  }: {
    readonly of: 'order' | 'order item'
    readonly wanted: string
    readonly isSame: (allowed: string, printed: string) => boolean
  },
): CheckLine => {
  const found = facts.find((fact) => fact.of === of)
  const given = { printed: found?.value, allowed: [wanted], isSame }
  return accepted({ ...base, pointer: found?.pointer }, properties[of], given)
}

/** Of each product one of its designations is the ordered one, alone or beside others: `S355J2+N (1.0577)`. */
const checkGrade = (base: LineOfRule, facts: readonly Fact[], grade: string): readonly CheckLine[] => {
  const products = [
    ...Map.groupBy(
      facts.filter(({ of }) => of === 'grade'),
      ({ place }) => place,
    ).values(),
  ]
  const groups: readonly (readonly Fact[])[] = products.length === 0 ? [[]] : products
  return groups.map((group) => {
    const met = group.find(({ value }) => isGrade(grade, value)) ?? group[0]
    const printed =
      met && (isGrade(grade, met.value) ? met.value : group.map(({ value }) => value).join(', '))
    const given = { printed, allowed: [grade], isSame: isGrade }
    return accepted({ ...base, pointer: met?.pointer }, properties.grade, given)
  })
}

const isGrade = (wanted: string, printed: string): boolean => {
  const plain = (text: string) =>
    text
      .replaceAll(/\s*\+\s*/g, '+')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .toLowerCase()
  return ` ${plain(printed).replaceAll(/[,;/()|]/g, ' ')} `.includes(` ${plain(wanted)} `)
}

const checkHeats = (
  base: LineOfRule,
  certificate: Certificate,
  allowed: readonly string[],
): readonly CheckLine[] => {
  const heats = heatsOf(certificate)
  const each: readonly (string | undefined)[] = heats.length === 0 ? [undefined] : heats
  return each.map((printed) => accepted(base, because('property_heat'), { printed, allowed }))
}

const checkQuantity = (
  base: LineOfRule,
  facts: readonly Fact[],
  {
    quantity,
    unit,
    before,
  }: Readonly<Record<'quantity' | 'unit', string>> & { readonly before: Ordered['before'] },
): CheckLine => {
  const property = because('property_quantity')
  const all = amountFacts(facts)
  const [first] = amountsIn(all, unit)
  const line = { ...base, limit: `max ${quantity} ${unit}`, rounding: 'exact' as const }
  const total = totalIn(all, unit)
  if (total === 'none' || first === undefined) {
    const reason = because('check_missing', { property, about: '' })
    return { ...line, result: 'missing', reason }
  }
  const shown = { ...line, printed: printedOf(amountsIn(all, unit)), pointer: first.pointer }
  const values = { value: shown.printed, unit, limit: `${quantity} ${unit}` }
  if (total === undefined)
    return { ...shown, result: 'unknown', reason: because('order_quantity_unknown', values) }
  const earlier = acceptedIn(before, unit)
  const ordered = rational(readDecimal(quantity) ?? { digits: 0n, places: 0 })
  if (earlier === undefined && compare(total, ordered) <= 0)
    return { ...shown, result: 'unknown', reason: because('order_accepted_unknown', values) }
  const together = earlier === undefined ? total : plus(total, earlier)
  const compared = { ...shown, compared: `${exactText(together)} ${unit}` }
  if (compare(together, ordered) <= 0) return { ...compared, result: 'pass' }
  const reason =
    before.length === 0 || earlier === undefined
      ? because('order_exceeded', values)
      : because('order_exceeded_together', { ...values, accepted: `${exactText(earlier)} ${unit}` })
  return { ...compared, result: 'fail', reason }
}

const printedOf = (amounts: readonly Amount[]): string =>
  amounts.map(({ value, unit }) => withUnit(value, unit)).join(' + ')

/** Whether these deliveries are within the ordered quantity; undefined if it cannot be said. */
export const isWithin = (
  { quantity, unit }: OrderLine,
  deliveries: readonly (readonly Amount[])[],
): boolean | undefined => {
  if (quantity === undefined || unit === undefined) return true
  const total = acceptedIn(deliveries, unit)
  const ordered = readDecimal(quantity)
  return total === undefined || ordered === undefined ? undefined : compare(total, rational(ordered)) <= 0
}
