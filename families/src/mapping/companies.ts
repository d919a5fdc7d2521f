import type { JsonValue } from '@millseal/proof'
import { at, listAt, textAt, textsAt } from '../certificate/shown.ts'
import type { Party, PartyLine, Text } from '../model/document.ts'
import { joinText } from './blocks.ts'
import type { Mapping } from './mapping.ts'

/** A company in EN 10168, CoA or Metals, which have the same format for addresses. */
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
  const region = joinText([textAt(company, 'District'), textAt(company, 'StateProvince')], ', ')
  return [
    ...textsAt(company, 'Street'),
    joinText([joinText([town, region], ', '), textAt(company, 'Country')], ', '),
    ...textsAt(company, 'AdditionalInformation'),
    ...textsAt(company, 'Email'),
    ...textsAt(company, 'Emails'),
  ].flatMap((value) => (value === undefined ? [] : [{ value }]))
}

const identifierLines = (mapping: Mapping, company: JsonValue | undefined): readonly PartyLine[] => {
  const identifiers: readonly (readonly [string, string | undefined])[] = [
    ['VAT', textAt(company, 'Identifiers', 'VAT') ?? textAt(company, 'VAT_Id')],
    ['DUNS', textAt(company, 'Identifiers', 'DUNS') ?? textAt(company, 'DUNS')],
    ['CageCode', textAt(company, 'Identifiers', 'CageCode')],
  ]
  return identifiers.flatMap(([name, value]) =>
    value === undefined ? [] : [{ label: mapping.label(name), value }],
  )
}

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
