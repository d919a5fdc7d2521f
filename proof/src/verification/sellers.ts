import type { JsonValue } from '../json/read.ts'
import { valueAt } from '../json/value-at.ts'

/** Who a certificate says sold, supplied or made the product. */
export type Seller = {
  /** JSON pointer to the company in the certificate. */
  readonly pointer: string
  readonly role: 'seller' | 'supplier' | 'manufacturer'
  readonly name: string | undefined
  readonly vatId: string | undefined
}

type JsonObject = { readonly [key: string]: JsonValue }

const rolesOf = new Map<string, Seller['role']>([
  ['A01', 'seller'],
  ['Seller', 'seller'],
  ['Supplier', 'supplier'],
  ['Manufacturer', 'manufacturer'],
])
/** Where certificates of all families name their companies: an object by role, or a list with a role in each entry. */
const partyLists = ['CommercialTransaction', 'Parties']
/** Timber has its companies beside everything else. */
const passport = 'DigitalMaterialPassport'
const deepest = 4

export const sellersOf = (certificate: JsonValue): readonly Seller[] => visit(certificate, '', 0)

const visit = (value: JsonValue, pointer: string, depth: number): readonly Seller[] => {
  if (!isObject(value) || depth > deepest) return []
  return Object.entries(value).flatMap(([key, member]) => {
    const place = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (partyLists.includes(key)) return sellersIn(member, place)
    const beside = key === passport ? sellersIn(member, place) : []
    return [...beside, ...visit(member, place, depth + 1)]
  })
}

const sellersIn = (parties: JsonValue, pointer: string): readonly Seller[] =>
  Array.isArray(parties)
    ? parties.flatMap((party, at) => sellerOf(party, `${pointer}/${at}`, textAt(party, 'PartyRole') ?? ''))
    : Object.entries(fieldsIn(parties)).flatMap(([role, party]) =>
        sellerOf(party, `${pointer}/${role}`, role),
      )

/** Where EN 10168 has its codes, other names are fields that a company added. */
const fieldsIn = (parties: JsonValue): JsonObject => {
  if (!isObject(parties)) return {}
  return parties['A01'] === undefined ? parties : { A01: parties['A01'] }
}

const sellerOf = (party: JsonValue, pointer: string, field: string): readonly Seller[] => {
  const role = rolesOf.get(field)
  if (role === undefined) return []
  const name = textAt(party, 'CompanyName') ?? textAt(party, 'Name') ?? textAt(party, 'PartyName')
  const vatId = textAt(party, 'VAT_Id') ?? textAt(party, 'Identifiers', 'VAT') ?? vatIdIn(party)
  return name === undefined && vatId === undefined ? [] : [{ pointer, role, name, vatId }]
}

const vatIdIn = (party: JsonValue): string | undefined => {
  const identifiers = isObject(party) ? party['PartyIdentifier'] : undefined
  return Array.isArray(identifiers)
    ? identifiers
        .filter((one) => textAt(one, 'NameOfIdentifier') === 'VATID')
        .map((one) => textAt(one, 'ValueOfIdentifier'))
        .find((text) => text !== undefined)
    : undefined
}

const isObject = (value: JsonValue | undefined): value is { [key: string]: JsonValue } & JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textAt = (value: JsonValue | undefined, ...path: readonly string[]): string | undefined => {
  const place = valueAt(value, path)
  const text = typeof place === 'string' ? place.trim() : ''
  return text === '' ? undefined : text
}
