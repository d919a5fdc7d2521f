import type { DigitCheck } from './check-digits.ts'

/** One way of writing the numbers of a country, without the letters of the country. */
export type VatForm = {
  readonly pattern: RegExp
  /** Absent where the country publishes no check digits. */
  readonly check?: DigitCheck
}

export type VatRule = {
  /** ISO 3166-1 alpha-2, which is not always what the VAT id begins with. */
  readonly country: string
  readonly example: string
  readonly forms: readonly VatForm[]
  /** The one spelling of a number that may be written in several ways. */
  readonly canonical?: (number: string) => string
}

/** By the letters a VAT id begins with. */
export type VatRules = Readonly<Record<string, VatRule>>
