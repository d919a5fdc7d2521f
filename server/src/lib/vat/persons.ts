import { type DigitCheck, digitAt, weighted, weightedSum } from './check-digits.ts'

/** Sole traders whose VAT number can be their personal number, which begins with the date of birth. */

const isDate = (year: number, month: number, day: number): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

const pairAt = (number: string, index: number): number => Number(number.slice(index, index + 2))

const bulgarianCentury = (month: number): readonly [century: number, added: number] => {
  if (month > 40) return [2000, 40]
  return month > 20 ? [1800, 20] : [1900, 0]
}

/** EGN: the month contains the century, plus 20 for the 1800s, plus 40 for the 2000s. */
const isBulgarianCitizen: DigitCheck = (number) => {
  const month = pairAt(number, 2)
  const [century, added] = bulgarianCentury(month)
  const digit = (weightedSum(number, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10
  return (
    digit === digitAt(number, -1) && isDate(century + pairAt(number, 0), month - added, pairAt(number, 4))
  )
}

const isForeignerInBulgaria = weighted(10, [21, 19, 17, 13, 11, 9, 7, 3, 1, -1])
const isOtherInBulgaria = weighted(11, [4, 3, 2, 7, 6, 5, 4, 3, 2, 1])

export const bulgarianPerson: DigitCheck = (number) =>
  isBulgarianCitizen(number) || isForeignerInBulgaria(number) || isOtherInBulgaria(number)

/** Rodné číslo: the month is increased by 50 for women, and since 2004 by another 20 on days with many births. */
const czechMonth = (number: string): number => {
  const month = pairAt(number, 2) % 50
  return month > 20 ? month - 20 : month
}

/** Until 1953, birth numbers had nine digits and no check digit. */
export const czechPersonUntil1953: DigitCheck = (number) => {
  const year = pairAt(number, 0)
  return year <= 53 && isDate(1900 + year, czechMonth(number), pairAt(number, 4))
}

export const czechPerson: DigitCheck = (number) => {
  const year = pairAt(number, 0)
  const digit = (Number(number.slice(0, 9)) % 11) % 10
  return (
    digit === digitAt(number, 9) &&
    isDate((year < 54 ? 2000 : 1900) + year, czechMonth(number), pairAt(number, 4))
  )
}

/** Personal codes issued since July 2017 begin with 32 and contain no date of birth. */
export const latvianPerson: DigitCheck = (number) => {
  const digit = ((1 + weightedSum(number, [10, 5, 8, 4, 2, 1, 6, 3, 7, 9])) % 11) % 10
  if (digit !== digitAt(number, -1)) return false
  const century = 1800 + 100 * digitAt(number, 6)
  return number.startsWith('32') || isDate(century + pairAt(number, 4), pairAt(number, 2), pairAt(number, 0))
}
