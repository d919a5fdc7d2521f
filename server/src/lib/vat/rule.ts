import type { DigitCheck } from './check-digits.ts'

/** A format of the numbers of a country, without its letters. */
export type VatForm = {
  readonly pattern: RegExp
  /** Absent if the country publishes no check digits. */
  readonly check?: DigitCheck
}

export type VatRule = {
  /** ISO 3166-1 alpha-2, which may differ from the letters of the VAT id. */
  readonly country: string
  readonly example: string
  readonly forms: readonly VatForm[]
  /** Returns the canonical spelling of a number with several spellings. */
  readonly canonical?: (number: string) => string
}

/** By the letters that VAT ids begin with. */
export type VatRules = Readonly<Record<string, VatRule>>
