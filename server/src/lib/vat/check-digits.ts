/** The check digit algorithms that several countries share. */

export type DigitCheck = (number: string) => boolean

export const digitAt = (number: string, index: number): number => Number(number.at(index))

/** The sum of digits times weights, from the left. Digits without a weight do not count. */
export const weightedSum = (number: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * digitAt(number, index), 0)

/** The check digit has its own weight, so that the whole sum has a fixed remainder. */
export const weighted =
  (modulus: number, weights: readonly number[], remainder = 0): DigitCheck =>
  (number) =>
    (((weightedSum(number, weights) - remainder) % modulus) + modulus) % modulus === 0

/** ISO/IEC 7812-1 annex B. */
export const luhn: DigitCheck = (number) => {
  let sum = 0
  for (let place = 1; place <= number.length; place += 1) {
    const product = digitAt(number, -place) * (place % 2 === 0 ? 2 : 1)
    sum += product > 9 ? product - 9 : product
  }
  return sum % 10 === 0
}

/** ISO/IEC 7064, MOD 11,10: the hybrid system of Germany and Croatia. */
export const mod11Comma10: DigitCheck = (number) => {
  let carried = 10
  for (let index = 0; index < number.length - 1; index += 1) {
    const sum = (digitAt(number, index) + carried) % 10
    carried = ((sum === 0 ? 10 : sum) * 2) % 11
  }
  return (carried + digitAt(number, -1)) % 10 === 1
}

/** ISO/IEC 7064, MOD 97-10, with letters read as 10 to 35. */
export const mod97: DigitCheck = (text) => {
  const digits = text.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  let remainder = 0
  for (const digit of digits) remainder = (remainder * 10 + Number(digit)) % 97
  return remainder === 1
}

/** If the remainder is ten, a second set of weights is used; if that gives ten as well, the digit is zero. */
export const withSecondWeights =
  (weights: readonly number[], otherwise: readonly number[]): DigitCheck =>
  (number) => {
    const first = weightedSum(number, weights) % 11
    const digit = first === 10 ? (weightedSum(number, otherwise) % 11) % 10 : first
    return digit === digitAt(number, -1)
  }
