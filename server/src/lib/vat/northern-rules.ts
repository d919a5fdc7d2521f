import { withSecondWeights, luhn, weighted } from './check-digits.ts'
import { latvianPerson } from './persons.ts'
import type { VatRules } from './rule.ts'

export const northernRules: VatRules = {
  DK: {
    country: 'DK',
    example: 'DK99999999',
    forms: [{ pattern: /^[1-9]\d{7}$/, check: weighted(11, [2, 7, 6, 5, 4, 3, 2, 1]) }],
  },
  EE: {
    country: 'EE',
    example: 'EE999999999',
    forms: [{ pattern: /^\d{9}$/, check: weighted(10, [3, 7, 1, 3, 7, 1, 3, 7, 1]) }],
  },
  FI: {
    country: 'FI',
    example: 'FI99999999',
    forms: [{ pattern: /^\d{8}$/, check: weighted(11, [7, 9, 10, 5, 8, 4, 2, 1]) }],
  },
  LT: {
    country: 'LT',
    example: 'LT999999919',
    forms: [
      {
        pattern: /^\d{7}1\d$/,
        check: withSecondWeights([1, 2, 3, 4, 5, 6, 7, 8], [3, 4, 5, 6, 7, 8, 9, 1]),
      },
      {
        pattern: /^\d{10}1\d$/,
        check: withSecondWeights([1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2], [3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4]),
      },
    ],
  },
  LV: {
    country: 'LV',
    example: 'LV99999999999',
    forms: [
      { pattern: /^[4-9]\d{10}$/, check: weighted(11, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1], 3) },
      { pattern: /^[0-3]\d{10}$/, check: latvianPerson },
    ],
  },
  NO: {
    country: 'NO',
    example: 'NO999999999MVA',
    forms: [{ pattern: /^[1-9]\d{8}MVA$/, check: weighted(11, [3, 2, 7, 6, 5, 4, 3, 2, 1]) }],
    canonical: (number) => number.replace(/^\d{9}$/, '$&MVA'),
  },
  SE: {
    country: 'SE',
    example: 'SE999999999901',
    forms: [{ pattern: /^\d{10}(?:0[1-9]|[1-8]\d|9[0-4])$/, check: (number) => luhn(number.slice(0, 10)) }],
  },
}
