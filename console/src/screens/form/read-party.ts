import { partyNames } from './form-context.ts'
import { isList, isObject, type Json, type JsonObject, partsOf, textOf } from './json.ts'
import { addressFields, addressGroup, furtherFields, type Party, vatField } from './party.ts'

const isEmailField = (value: Json): boolean => isObject(value) && /^e-?mail$/i.test(textOf(value['Name']))

const textIn = (group: Json | undefined, names: readonly string[]): string | undefined => {
  if (!isObject(group)) return undefined
  const value = names.map((name) => group[name]).find((each) => each !== undefined)
  const text = isList(value) ? value.map(textOf).join(', ') : textOf(value)
  return text.trim() === '' ? undefined : text.trim()
}

const textsIn = (value: Json | undefined): readonly string[] => {
  const all = isList(value) ? value : [value]
  return all.map(textOf).filter((text) => text !== '')
}

const listIn = (group: JsonObject, name: string): readonly JsonObject[] => {
  const value = group[name]
  return isList(value) ? value.filter(isObject) : []
}

/** A party as a certificate describes it; undefined without a name. */
const readParty = (value: Json | undefined): Party | undefined => {
  const name = textIn(value, partyNames)
  if (name === undefined || !isObject(value)) return undefined
  const address = value[addressGroup] ?? value
  const identifier = listIn(value, 'PartyIdentifier').find((each) => each['NameOfIdentifier'] === vatField)
  const further = listIn(value, furtherFields).filter(isEmailField)
  return {
    name,
    vatId:
      textIn(value, ['VAT_Id']) ??
      textIn(value['Identifiers'] ?? value['Identifier'], ['VAT']) ??
      textIn(identifier, ['ValueOfIdentifier']),
    emails: [
      ...new Set([
        ...textsIn(value['Email']),
        ...textsIn(value['Emails']),
        ...further.flatMap((each) => textsIn(each['Value'])),
      ]),
    ],
    address: {
      street: textIn(address, addressFields.street),
      zipCode: textIn(address, addressFields.zipCode),
      city: textIn(address, addressFields.city),
      country: textIn(address, addressFields.country),
    },
  }
}

/** The parties of a certificate at these places, in which `*` is an element of a list. */
export const partiesIn = (certificate: Json, places: readonly string[]): readonly Party[] =>
  places.flatMap((place) => valuesAt(certificate, partsOf(place))).flatMap((value) => readParty(value) ?? [])

const valuesAt = (value: Json | undefined, [part, ...rest]: readonly string[]): readonly Json[] => {
  if (value === undefined) return []
  if (part === undefined) return [value]
  if (part === '*') return isList(value) ? value.flatMap((each) => valuesAt(each, rest)) : []
  return isObject(value) ? valuesAt(value[part], rest) : []
}
