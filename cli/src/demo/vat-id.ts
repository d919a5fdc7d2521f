import { randomInt } from 'node:crypto'

/** A random Austrian VAT id with a valid check digit. */
export const inventVatId = (): string => {
  const digits = Array.from({ length: 7 }, () => randomInt(10))
  const sum = digits.reduce((total, digit, at) => {
    const weighted = at % 2 === 0 ? digit : digit * 2
    return total + Math.floor(weighted / 10) + (weighted % 10)
  }, 0)
  return `ATU${digits.join('')}${(10 - ((sum + 4) % 10)) % 10}`
}
