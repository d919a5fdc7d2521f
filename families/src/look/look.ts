import type { Picture } from '../model/document.ts'

/** How a company wants its certificates to look. What is absent stays as it is without a look. */
export type Look = {
  readonly logo?: LookLogo
  /** `#rrggbb`, dark enough for text on white. */
  readonly accent?: string
  /** A line at the end of the certificate: language (BCP 47, lower case) → text. */
  readonly footer?: Readonly<Record<string, string>>
  /** Names of sections in the wanted order. The others follow, then the declaration and the further data. */
  readonly sections?: readonly string[]
  /** Names and codes of optional parts: `isOptionalPart`. */
  readonly hidden?: readonly string[]
}

export type LookLogo = {
  readonly picture: Omit<Picture, 'alternative'>
  /** `missing`: only if the certificate has no logo; `always`: also instead of that of the certificate. */
  readonly use: 'missing' | 'always'
}

/** What the look for a receiver leaves out is as in the company's own. */
export const mergeLooks = (own: Look, forReceiver: Look): Look => ({ ...own, ...forReceiver })

/**
 * Fields and tables that may be hidden: contacts, numbers of the parties' own organisation, and the line for programs. All
 * others say what was certified, to whom, by whom or how, and stay.
 */
export const optionalNames = [
  'Contacts',
  'InternalOrderId',
  'InternalOrderPosition',
  'GoodsReceiptId',
  'Transport',
  'PropertiesStandard',
  'URL',
  'TechnicalData',
] as const

/** EN 10168 leaves A10 to A95 to the parties. */
const optionalCode = /^A(?:[1-8]\d|9[0-5])$/

const isOptionalCode = (code: string): boolean => optionalCode.test(code)

export const isOptionalName = (name: string): boolean => optionalNames.some((known) => known === name)

export const isOptionalPart = (part: string): boolean => isOptionalName(part) || isOptionalCode(part)
