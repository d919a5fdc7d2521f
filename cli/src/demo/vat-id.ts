import { randomInt } from 'node:crypto'

/** An Austrian one with a right check digit, of nobody in particular. */
export const inventVatId = (): string => {
  const digits = Array.from({ length: 7 }, () => randomInt(10))
  const sum = digits.reduce((total, digit, at) => {
    const weighed = at % 2 === 0 ? digit : digit * 2
    return total + Math.floor(weighed / 10) + (weighed % 10)
  }, 0)
  return `ATU${digits.join('')}${(10 - ((sum + 4) % 10)) % 10}`
}
