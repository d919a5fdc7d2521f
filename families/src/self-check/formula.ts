import { rational, readDecimal } from '../facts/decimal.ts'
import { difference, type Interval, product, quotient, sum } from './interval.ts'

type Lookup = (name: string) => Interval | undefined

/** Longer ones are prose. It also bounds the length of the numbers. */
const longest = 200

/**
 * `F1 = C + Mn/6 + (Cr+Mo+V)/5 + 5B`, with the values that `lookup` knows. Undefined if it is no such formula, if a name is
 * unknown or if a divisor may be zero.
 */
export const evaluate = (formula: string, lookup: Lookup): Interval | undefined => {
  const text = formula
    .slice(formula.lastIndexOf('=') + 1)
    .replaceAll(/[[{]/g, '(')
    .replaceAll(/[\]}]/g, ')')
  const tokens = text.match(/[A-Za-z]\w*|\d+(?:[.,]\d+)?|[^\s]/g) ?? []
  if (formula.length > longest) return undefined
  const reader = { tokens, next: 0, lookup }
  const result = terms(reader)
  return reader.next === tokens.length ? result : undefined
}

type Reader = { readonly tokens: readonly string[]; next: number; readonly lookup: Lookup }

const isNext = (reader: Reader, signs: string): boolean =>
  reader.next < reader.tokens.length && signs.includes(reader.tokens[reader.next] ?? '')

const terms = (reader: Reader): Interval | undefined => {
  let result = factors(reader)
  while (result !== undefined && isNext(reader, '+-–−')) {
    const sign = reader.tokens[reader.next++]
    const right = factors(reader)
    if (right === undefined) return undefined
    result = sign === '+' ? sum(result, right) : difference(result, right)
  }
  return result
}

const factors = (reader: Reader): Interval | undefined => {
  let result = factor(reader)
  while (result !== undefined && isFactorNext(reader)) {
    const sign = isNext(reader, '*×·/:') ? reader.tokens[reader.next++] : '*'
    const right = factor(reader)
    if (right === undefined) return undefined
    result = sign === '/' || sign === ':' ? quotient(result, right) : product(result, right)
  }
  return result
}

/** A sign, or a name or group directly behind a number: `5B`. */
const isFactorNext = (reader: Reader): boolean =>
  isNext(reader, '*×·/:') ||
  (/^\d/.test(reader.tokens[reader.next - 1] ?? '') && /^[A-Za-z(]/.test(reader.tokens[reader.next] ?? ''))

const factor = (reader: Reader): Interval | undefined => {
  const token = reader.tokens[reader.next++]
  if (token === undefined) return undefined
  if (token === '(') {
    const inner = terms(reader)
    return reader.tokens[reader.next++] === ')' ? inner : undefined
  }
  const number = readDecimal(token)
  if (number !== undefined) return { low: rational(number), high: rational(number) }
  return /^[A-Za-z]/.test(token) ? reader.lookup(token) : undefined
}
