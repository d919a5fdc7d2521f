import { limits } from '@millseal/contract'
import { atPlace } from '@millseal/contract/reasons'
import { Problem } from '../problem.ts'
import { checkVatId, type RegisterNumber } from './check-vat-id.ts'
import { countryNames } from './countries.ts'

export type UsableVatId = {
  readonly vatId: string
  /** ISO 3166-1 alpha-2 */
  readonly country: string
  /** Undefined for a country whose VAT id rules the server does not know. */
  readonly register: RegisterNumber | undefined
}

/** Accepts any id of a country without known rules: the review decides. */
export const usableVatId = (input: string, where: string): UsableVatId => {
  const check = checkVatId(input)
  if (check.status === 'valid') {
    return { vatId: check.normalized, country: check.country, register: check.register }
  }
  const { normalized = '', reason } = check
  const country = normalized.slice(0, 2)
  const fits = normalized.length >= limits.vatId.minLength && normalized.length <= limits.vatId.maxLength
  if (check.status === 'country_unknown' && fits && Object.hasOwn(countryNames, country)) {
    return { vatId: normalized, country, register: undefined }
  }
  throw new Problem('vat_id_invalid', { reasons: [atPlace(where, reason)] })
}
