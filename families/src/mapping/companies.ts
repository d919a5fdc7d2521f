import type { JsonValue } from '@millseal/proof'
import { at, listAt, textAt, textsAt } from '../certificate/shown.ts'
import type { Party, PartyLine, Text } from '../model/document.ts'
import { joinText } from './blocks.ts'
import type { Mapping } from './mapping.ts'

/** A company in any family but E-CoC: the formats of addresses differ little between families and versions. */
export const companyParty = (
  mapping: Mapping,
  company: JsonValue | undefined,
  as: { role: Text; code?: string },
): readonly Party[] => {
  const name = textAt(company, 'Name') ?? textAt(company, 'CompanyName')
  if (name === undefined) return []
  return [{ ...as, name, lines: [...addressLines(company), ...identifierLines(mapping, company)] }]
}

const addressLines = (company: JsonValue | undefined): readonly PartyLine[] => {
  const town = joinText([textAt(company, 'ZipCode'), textAt(company, 'City')])
  const region = joinText(
    ['District', 'StateProvince', 'State'].map((name) => textAt(company, name)),
    ', ',
  )
  return [
    ...textsAt(company, 'Street'),
    ...textsAt(company, 'AddressLine1'),
    ...textsAt(company, 'AddressLine2'),
    joinText([joinText([town, region], ', '), textAt(company, 'Country')], ', '),
    ...textsAt(company, 'AdditionalInformation'),
    ...textsAt(company, 'Email'),
    ...textsAt(company, 'Emails'),
    ...textsAt(company, 'PhoneNumber'),
  ].flatMap((value) => (value === undefined ? [] : [{ value }]))
}

const identifierLines = (mapping: Mapping, company: JsonValue | undefined): readonly PartyLine[] => {
  const older = new Map([
    ['VAT', textAt(company, 'VAT_Id')],
    ['DUNS', textAt(company, 'DUNS')],
  ])
  const [many, one] = [at(company, 'Identifiers'), at(company, 'Identifier')]
  return registers.flatMap((name) => {
    const value = textAt(many, name) ?? textAt(one, name) ?? older.get(name)
    return value === undefined ? [] : [{ label: mapping.label(name), value }]
  })
}

const registers = ['VAT', 'DUNS', 'CageCode', 'EORI', 'MID', 'CNPJ', 'RUT', 'CBN', 'SystemId']

export type Contact = {
  readonly name: string | undefined
  readonly role: string | undefined
  readonly department: string | undefined
  readonly email: string | undefined
  readonly phone: string | undefined
}

export const contactsAt = (value: JsonValue | undefined, ...path: readonly string[]): readonly Contact[] =>
  listAt(at(value, ...path)).map((person) => ({
    name: textAt(person, 'Name'),
    role: textAt(person, 'Role') ?? textAt(person, 'Title'),
    department: textAt(person, 'Department'),
    email: textAt(person, 'Email'),
    phone: textAt(person, 'Phone'),
  }))
