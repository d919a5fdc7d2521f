import type { JsonValue } from '@millseal/proof'
import { companyOf } from '../../certificate/companies.ts'
import { at } from '../../certificate/shown.ts'
import type { Family } from '../../family.ts'

export const roles = ['Supplier', 'Producer', 'Customer', 'Creator'] as const

/** The first drafts had the parties in a group of their own. */
export const partyOf = (passport: JsonValue | undefined, role: string): JsonValue | undefined =>
  at(passport, role) ?? at(passport, 'Parties', role)

export const parties: Family['parties'] = (json) =>
  roles.flatMap((role) => {
    const company = partyOf(at(json, 'DigitalMaterialPassport'), role)
    return company === undefined ? [] : [companyOf(company, { field: role, role })]
  })
