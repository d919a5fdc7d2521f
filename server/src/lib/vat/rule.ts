import type { DigitCheck } from './check-digits.ts'

/** One form of the numbers of a country, without its letters. */
export type VatForm = {
  readonly pattern: RegExp
  /** Missing if the country publishes no check digits. */
  readonly check?: DigitCheck
}

export type VatRule = {
  /** ISO 3166-1 alpha-2, which is not always what the VAT id begins with. */
  readonly country: string
  readonly example: string
  readonly forms: readonly VatForm[]
  /** Returns the canonical spelling of a number. */
  readonly canonical?: (number: string) => string
}

/** By the letters a VAT id begins with. */
export type VatRules = Readonly<Record<string, VatRule>>
