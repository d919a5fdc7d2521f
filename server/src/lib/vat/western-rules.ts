import { type DigitCheck, digitAt, luhn, mod11Comma10, mod97, weighted, weightedSum } from './check-digits.ts'
import type { VatForm, VatRules } from './rule.ts'

/** Austria: the Luhn sum of the first seven digits, plus four. */
const austrian: DigitCheck = (number) => {
  const doubled = [1, 2, 1, 2, 1, 2, 1].map((weight, index) => weight * digitAt(number, index + 1))
  const sum = doubled.reduce((total, product) => total + (product > 9 ? product - 9 : product), 4)
  return (sum + digitAt(number, -1)) % 10 === 0
}

const belgian: DigitCheck = (number) => 97 - (Number(number.slice(0, 8)) % 97) === Number(number.slice(8))

/** Companies in Monaco have French numbers with a SIREN that begins with 000 and has no Luhn digit. */
const hasSiren: DigitCheck = (number) => number.startsWith('000', 2) || luhn(number.slice(2))

const oldFrench: DigitCheck = (number) =>
  hasSiren(number) && (Number(number.slice(2)) * 100 + 12) % 97 === Number(number.slice(0, 2))

const keyLetters = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'

const newFrench: DigitCheck = (number) => {
  const first = keyLetters.indexOf(number.charAt(0))
  const second = keyLetters.indexOf(number.charAt(1))
  const key = first < 10 ? first * 24 + second - 10 : first * 34 + second - 100
  return hasSiren(number) && (Number(number.slice(2)) + 1 + Math.floor(key / 11)) % 11 === key % 11
}

const britishWeights = [8, 7, 6, 5, 4, 3, 2, 10, 1]
const isBritish = weighted(97, britishWeights)
/** A second range of numbers since 2009, whose sum is increased by 55. */
const isNewBritish = weighted(97, britishWeights, 97 - 55)

const hasBritishDigits: DigitCheck = (number) =>
  isBritish(number) || (!number.startsWith('0') && isNewBritish(number))

const british: readonly VatForm[] = [
  { pattern: /^\d{9}(\d{3})?$/, check: hasBritishDigits },
  { pattern: /^GD[0-4]\d{2}$/ },
  { pattern: /^HA[5-9]\d{2}$/ },
]

/** W has the value zero, A one, B two and so on. */
const irishLetters = 'WABCDEFGHIJKLMNOPQRSTUV'

/** The first letter checks the seven digits and the second letter. */
const irish = (digits: string, letter: string, second = 'W'): boolean => {
  const sum = weightedSum(digits, [8, 7, 6, 5, 4, 3, 2]) + 9 * irishLetters.indexOf(second)
  return irishLetters.charAt(sum % 23) === letter
}

const isDutchCompany = weighted(11, [9, 8, 7, 6, 5, 4, 3, 2, -1])

const isSwiss = weighted(11, [5, 4, 3, 2, 7, 6, 5, 4, 1])
const swissSuffix = /(?<=^E\d{9})(?:MWST|TVA|IVA|TPV)$/

export const westernRules: VatRules = {
  AT: { country: 'AT', example: 'ATU99999999', forms: [{ pattern: /^U\d{8}$/, check: austrian }] },
  BE: {
    country: 'BE',
    example: 'BE0999999999',
    forms: [{ pattern: /^[01]\d{9}$/, check: belgian }],
    // Numbers had nine digits until 2005.
    canonical: (number) => number.replace(/^(?=\d{9}$)/, '0'),
  },
  CH: {
    country: 'CH',
    example: 'CHE-999.999.999 MWST',
    forms: [
      {
        pattern: /^E\d{9}$/,
        check: (number) => isSwiss(number.slice(1)),
      },
    ],
    // The suffix depends on the language; the number is the same.
    canonical: (number) => number.replace(swissSuffix, ''),
  },
  DE: { country: 'DE', example: 'DE999999999', forms: [{ pattern: /^[1-9]\d{8}$/, check: mod11Comma10 }] },
  FR: {
    country: 'FR',
    example: 'FR99999999999',
    forms: [
      { pattern: /^\d{11}$/, check: oldFrench },
      { pattern: /^(?:\d[A-HJ-NP-Z]|[A-HJ-NP-Z][0-9A-HJ-NP-Z])\d{9}$/, check: newFrench },
    ],
  },
  GB: { country: 'GB', example: 'GB999999999', forms: british },
  XI: { country: 'GB', example: 'XI999999999', forms: british },
  IE: {
    country: 'IE',
    example: 'IE9999999WA',
    forms: [
      {
        pattern: /^\d{7}[A-W]{1,2}$/,
        check: (number) => irish(number.slice(0, 7), number.charAt(7), number.at(8)),
      },
      {
        pattern: /^\d[A-Z+*]\d{5}[A-W]$/,
        check: (number) => irish(`0${number.slice(2, 7)}${number.charAt(0)}`, number.charAt(7)),
      },
    ],
  },
  LU: {
    country: 'LU',
    example: 'LU99999999',
    forms: [
      {
        pattern: /^[1-9]\d{7}$/,
        check: (number) => Number(number.slice(0, 6)) % 89 === Number(number.slice(6)),
      },
    ],
  },
  NL: {
    country: 'NL',
    example: 'NL999999999B99',
    forms: [
      {
        pattern: /^\d{9}B(?!00)\d{2}$/,
        // Since 2020, sole traders have numbers of the second kind, which do not reveal their personal number.
        check: (number) => isDutchCompany(number) || mod97(`NL${number}`),
      },
    ],
  },
}
