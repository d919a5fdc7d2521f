import { type DigitCheck, digitAt, withSecondWeights, weighted, weightedSum } from './check-digits.ts'
import { bulgarianPerson, czechPerson, czechPersonUntil1953 } from './persons.ts'
import type { VatRules } from './rule.ts'

const czechWeights = [8, 7, 6, 5, 4, 3, 2]

const czechCompany: DigitCheck = (number) => {
  const digit = (11 - (weightedSum(number, czechWeights) % 11)) % 11
  return (digit === 0 ? 1 : digit % 10) === digitAt(number, -1)
}

/** Sole traders without a birth number: a six, seven digits and a check digit. */
const czechTrader: DigitCheck = (number) => {
  const remainder = weightedSum(number.slice(1), czechWeights) % 11
  const digit = (8 - ((21 - remainder) % 11) + 10) % 10
  return digit === digitAt(number, -1)
}

const romanian: DigitCheck = (number) => {
  const sum = weightedSum(number.padStart(10, '0'), [7, 5, 3, 2, 1, 7, 5, 3, 2])
  return ((sum * 10) % 11) % 10 === digitAt(number, -1)
}

const isMultipleOf11: DigitCheck = (number) => Number(number) % 11 === 0

export const easternRules: VatRules = {
  BG: {
    country: 'BG',
    example: 'BG999999999',
    forms: [
      {
        pattern: /^\d{9}$/,
        check: withSecondWeights([1, 2, 3, 4, 5, 6, 7, 8], [3, 4, 5, 6, 7, 8, 9, 10]),
      },
      { pattern: /^\d{10}$/, check: bulgarianPerson },
    ],
  },
  CZ: {
    country: 'CZ',
    example: 'CZ99999999',
    forms: [
      { pattern: /^[0-8]\d{7}$/, check: czechCompany },
      { pattern: /^6\d{8}$/, check: czechTrader },
      { pattern: /^\d{9}$/, check: czechPersonUntil1953 },
      { pattern: /^\d{10}$/, check: czechPerson },
    ],
  },
  HU: {
    country: 'HU',
    example: 'HU99999999',
    forms: [{ pattern: /^\d{8}$/, check: weighted(10, [9, 7, 3, 1, 9, 7, 3, 1]) }],
  },
  PL: {
    country: 'PL',
    example: 'PL9999999999',
    forms: [{ pattern: /^\d{10}$/, check: weighted(11, [6, 5, 7, 2, 3, 4, 5, 6, 7, -1]) }],
  },
  RO: { country: 'RO', example: 'RO9999999999', forms: [{ pattern: /^[1-9]\d{1,9}$/, check: romanian }] },
  SK: {
    country: 'SK',
    example: 'SK9999999999',
    forms: [
      { pattern: /^[1-9]\d[2-47-9]\d{7}$/, check: isMultipleOf11 },
      { pattern: /^\d{10}$/, check: (number) => isMultipleOf11(number) && czechPerson(number) },
    ],
  },
}
