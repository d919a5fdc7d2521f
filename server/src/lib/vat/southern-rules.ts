import { type DigitCheck, digitAt, luhn, mod11Comma10, weighted, weightedSum } from './check-digits.ts'
import type { VatRules } from './rule.ts'

const cypriotOddDigits = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21]

const cypriot: DigitCheck = (number) => {
  let sum = 0
  for (let index = 0; index < 8; index += 1) {
    const digit = digitAt(number, index)
    sum += index % 2 === 0 ? (cypriotOddDigits[digit] ?? 0) : digit
  }
  return String.fromCharCode(65 + (sum % 26)) === number.charAt(8)
}

const greek: DigitCheck = (number) =>
  (weightedSum(number, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === digitAt(number, -1)

/** The three digits before the last are the issuing province, or an office for foreign companies. */
const italianOffice = /^(?!0{7})\d{7}(?:(?!000)0\d{2}|100|120|121|888|999)/

const portuguese: DigitCheck = (number) => {
  const remainder = weightedSum(number, [9, 8, 7, 6, 5, 4, 3, 2]) % 11
  return (remainder < 2 ? 0 : 11 - remainder) === digitAt(number, -1)
}

/** The check digit for remainder one is zero. Numbers with remainder zero are not issued. */
const slovenian: DigitCheck = (number) => {
  const remainder = weightedSum(number, [8, 7, 6, 5, 4, 3, 2]) % 11
  return (remainder === 1 ? 0 : 11 - remainder) === digitAt(number, -1)
}

const spanishPerson = (digits: string, letter: string): boolean =>
  'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(Number(digits) % 23) === letter

/** The check character is a Luhn digit, or the letter that represents it. */
const spanishCompany: DigitCheck = (number) => {
  const last = number.charAt(8)
  const digit = 'JABCDEFGHI'.indexOf(last)
  return luhn(number.slice(1, 8) + (digit === -1 ? last : digit))
}

export const southernRules: VatRules = {
  CY: {
    country: 'CY',
    example: 'CY99999999L',
    forms: [{ pattern: /^(?!12)\d{8}[A-Z]$/, check: cypriot }],
  },
  EL: {
    country: 'GR',
    example: 'EL999999999',
    forms: [{ pattern: /^\d{9}$/, check: greek }],
    // Old numbers had eight digits and are sometimes written without the leading zero.
    canonical: (number) => number.replace(/^(?=\d{8}$)/, '0'),
  },
  ES: {
    country: 'ES',
    example: 'ESX9999999X',
    forms: [
      { pattern: /^\d{8}[A-Z]$/, check: (number) => spanishPerson(number.slice(0, 8), number.charAt(8)) },
      {
        pattern: /^[XYZ]\d{7}[A-Z]$/,
        check: (number) =>
          spanishPerson('XYZ'.indexOf(number.charAt(0)) + number.slice(1, 8), number.charAt(8)),
      },
      {
        pattern: /^[KLM]\d{7}[A-Z]$/,
        check: (number) => spanishPerson(number.slice(1, 8), number.charAt(8)),
      },
      { pattern: /^[NPQRSW]\d{7}[A-J]$/, check: spanishCompany },
      { pattern: /^[ABCDEFGHJUV]\d{7}[0-9A-J]$/, check: spanishCompany },
    ],
  },
  HR: { country: 'HR', example: 'HR99999999999', forms: [{ pattern: /^\d{11}$/, check: mod11Comma10 }] },
  IT: {
    country: 'IT',
    example: 'IT99999999999',
    forms: [{ pattern: /^\d{11}$/, check: (number) => italianOffice.test(number) && luhn(number) }],
  },
  MT: {
    country: 'MT',
    example: 'MT99999999',
    forms: [{ pattern: /^[1-9]\d{7}$/, check: weighted(37, [3, 4, 6, 7, 8, 9, 10, 1]) }],
  },
  PT: { country: 'PT', example: 'PT999999999', forms: [{ pattern: /^[1-9]\d{8}$/, check: portuguese }] },
  SI: { country: 'SI', example: 'SI99999999', forms: [{ pattern: /^[1-9]\d{7}$/, check: slovenian }] },
}
