import type { RequirementChoice } from '@millseal/contract'
import type { Certificate } from '../certificate/read-certificate.ts'
import { summarize } from '../certificate/summarize.ts'
import { factsOf } from '../facts/facts-of.ts'
import { itemKey, orderKey } from './order-line.ts'

/** The requirements that the matching rules of the highest priority name, each once: none or several decide nothing. */
export const applyRules = (
  rules: readonly RequirementChoice[],
  certificate: Certificate,
): readonly string[] => {
  if (rules.length === 0) return []
  const facts = factsOf(certificate)
  const printed = (...names: readonly string[]) =>
    facts.filter(({ of }) => names.includes(of)).map(({ value }) => value)
  const { sellerName = '', productDescription = '' } = summarize(certificate)
  const [orders, items] = [printed('order'), printed('order item').map(itemKey)]
  const grades = printed('grade', 'product standard')
  const matching = rules.filter(
    ({ supplier, order, item, grade, product }) =>
      matches(supplier, [sellerName]) &&
      matches(order, orders) &&
      matches(item === undefined ? undefined : itemKey(item), items) &&
      matches(grade, grades) &&
      matches(product, [productDescription]),
  )
  const highest = Math.max(...matching.map(({ priority = 0 }) => priority))
  const decisive = matching.filter(({ priority = 0 }) => priority === highest)
  return [...new Set(decisive.map(({ requirement }) => requirement))]
}

/** The whole text; each `*` stands for any characters. A rule says nothing of what it leaves out. */
const matches = (pattern: string | undefined, texts: readonly string[]): boolean => {
  if (pattern === undefined) return true
  const parts = orderKey(pattern).split('*')
  return texts.some((text) => fits(parts, orderKey(text)))
}

/** Part by part, because a regular expression with many stars may take for ever. */
const fits = (parts: readonly string[], text: string): boolean => {
  const [first = '', ...rest] = parts
  if (rest.length === 0) return text === first
  const last = rest.at(-1) ?? ''
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false
  let from = first.length
  for (const part of rest.slice(0, -1)) {
    const at = text.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return from <= text.length - last.length
}
