import { because, type Reason } from '@millseal/contract/reasons'
import type { VatRule } from './rule.ts'
import { vatRules } from './rules.ts'

/** A VAT number and its country code in the register: EL for Greece, XI for Northern Ireland. */
export type RegisterNumber = { readonly country: string; readonly number: string }

export type VatCheck =
  | {
      readonly status: 'valid'
      /** ISO 3166-1 alpha-2: GR for EL, GB for XI. */
      readonly country: string
      /** The canonical spelling of this VAT id, at most 14 characters. */
      readonly normalized: string
      readonly register: RegisterNumber
      readonly reason?: undefined
    }
  | {
      readonly status: 'malformed' | 'checksum' | 'country_unknown'
      readonly country?: string
      readonly normalized?: string
      /** For clients. It repeats only the two letters of the country. */
      readonly reason: Reason
    }

const maxInputLength = 32
const separators = /[\s.\-\u2010-\u2015\u2212]/g
const otherNames: Readonly<Record<string, string>> = { GR: 'EL' }

/** Checks offline whether a VAT id can exist. Only a register knows whether it does. */
export const checkVatId = (input: string): VatCheck => {
  if (input.length > maxInputLength) return { status: 'malformed', reason: because('vat_id_too_long') }
  const text = input.replaceAll(separators, '')
  const parts = /^([A-Za-z]{2})([A-Za-z0-9+*]*)$/.exec(text)
  if (parts === null) {
    return { status: 'malformed', reason: because('vat_id_without_country') }
  }
  const [, letters = '', rest = ''] = parts.map((part) => part.toUpperCase())
  const prefix = otherNames[letters] ?? letters
  const rule = vatRules.get(prefix)
  if (rule === undefined) {
    return {
      status: 'country_unknown',
      normalized: prefix + rest,
      reason: because('vat_id_of_unknown_country', { country: prefix }),
    }
  }
  return checkNumber(rule, prefix, rule.canonical?.(rest) ?? rest)
}

const checkNumber = (rule: VatRule, prefix: string, number: string): VatCheck => {
  const { country, forms, example } = rule
  const normalized = prefix + number
  const fitting = forms.filter(({ pattern }) => pattern.test(number))
  if (fitting.length === 0 || isZero(number)) {
    return {
      status: 'malformed',
      country,
      normalized,
      reason: because('vat_id_malformed', { country: prefix, example }),
    }
  }
  if (!fitting.some(({ check }) => check?.(number) ?? true)) {
    return { status: 'checksum', country, normalized, reason: because('vat_id_check_digits') }
  }
  return { status: 'valid', country, normalized, register: { country: prefix, number } }
}

/** Most check digits accept all zeros, which is never issued. */
const isZero = (number: string): boolean => /^\D*0{7,}\D*$/.test(number)
