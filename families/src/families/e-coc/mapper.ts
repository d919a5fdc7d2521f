import type { JsonValue } from '@millseal/proof'
import { at, listAt, textAt, textsAt } from '../../certificate/shown.ts'
import type { Block, Party, PartyLine, Section } from '../../model/document.ts'
import { attachedFiles } from '../../mapping/attached-files.ts'
import { field, fieldsBlock, headed, joinText, paragraphs, section } from '../../mapping/blocks.ts'
import type { FamilyContent } from '../../family.ts'
import { inspectionTitle } from '../../mapping/inspection-title.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { named } from '../../mapping/transaction-fields.ts'
import { objectBlocks } from './objects.ts'
import { resultBlocks } from './results.ts'

export const mapECoc = (mapping: Mapping): FamilyContent => {
  const data = at(mapping.json, 'EcocData', 'Data')
  const kind = textAt(data, 'EcocType') ?? 'Certificate'
  const material = /^MaterialCertificate([23]\.[12])$/.exec(kind)?.[1]
  return {
    ...(material === undefined
      ? { title: mapping.label(mapping.hasLabel(kind) ? kind : 'Certificate') }
      : inspectionTitle(mapping, `EN 10204 ${material}`)),
    number: textAt(mapping.json, 'Id') ?? textAt(mapping.json, 'Uuid'),
    date: textAt(mapping.json, 'Declaration', 'DateOfIssue'),
    parties: listAt(data, 'Parties').flatMap((party) => partyOf(mapping, party)),
    sections: [
      ...section(mapping.label('BusinessRef'), references(mapping, data)),
      ...section(
        mapping.label('ObjectOfDeclaration'),
        objectBlocks(mapping, listAt(data, 'ObjectOfDeclaration')),
      ),
      ...section(mapping.label('Results'), resultBlocks(mapping, at(mapping.json, 'EcocData', 'Results'))),
      ...declaration(mapping, at(mapping.json, 'Declaration')),
    ],
    files: attachedFiles(mapping, {
      value: at(mapping.json, 'Attachment'),
      pointer: '/Attachment',
      names: { type: 'FileType' },
    }),
  }
}

const partyOf = (mapping: Mapping, party: JsonValue): readonly Party[] => {
  const name = textAt(party, 'PartyName')
  if (name === undefined) return []
  const address = at(party, 'PartyAddress')
  const town = joinText([textAt(address, 'PostalCode'), textAt(address, 'City')])
  const lines: readonly PartyLine[] = [
    textAt(address, 'StreetAddress'),
    textAt(address, 'AddAddressLine'),
    joinText([town, textAt(address, 'State'), textAt(address, 'CountryCode')], ', '),
  ].flatMap((value) => (value === undefined ? [] : [{ value }]))
  return [
    {
      role: mapping.label(textAt(party, 'PartyRole') ?? 'Certificate'),
      name,
      lines: [...lines, ...identifiers(mapping, party), ...properties(party)],
    },
  ]
}

const identifiers = (mapping: Mapping, party: JsonValue): readonly PartyLine[] =>
  listAt(party, 'PartyIdentifier').flatMap((identifier) => {
    const name = textAt(identifier, 'NameOfIdentifier') ?? ''
    const value = textAt(identifier, 'ValueOfIdentifier')
    return value === undefined ? [] : [{ label: mapping.label(name === 'VATID' ? 'VAT' : name), value }]
  })

const properties = (party: JsonValue): readonly PartyLine[] =>
  listAt(party, 'AdditionalPartyProperties').flatMap((property) => {
    const value = joinText(textsAt(property, 'Value'), ', ')
    return value === undefined ? [] : [{ label: [textAt(property, 'Name') ?? ''], value }]
  })

const references = (mapping: Mapping, data: JsonValue | undefined): readonly Block[] =>
  fieldsBlock([
    ...['StandardReferences', 'AdditionalReferences'].flatMap((list) =>
      listAt(data, 'BusinessRef', list).flatMap((reference) =>
        field(mapping.label(textAt(reference, 'Name') ?? ''), joinText(textsAt(reference, 'Value'), ', ')),
      ),
    ),
    ...field(mapping.label('NormativeRef'), joinText(textsAt(data, 'NormativeRef'), ', ')),
    ...field(mapping.label('URL'), textAt(mapping.json, 'URL')),
  ])

const declaration = (mapping: Mapping, value: JsonValue | undefined): readonly Section[] => {
  const status = textAt(value, 'ConformityStatus')
  const signature = at(value, 'Signature')
  // Published certificates also write `remarks`; the schema says `Remarks`.
  const remarks = [...textsAt(value, 'Remarks'), ...textsAt(value, 'remarks')]
  return section(
    mapping.label('Declaration'),
    [
      ...paragraphs(textsAt(value, 'CocConfirmationText')),
      ...fieldsBlock([
        ...field(
          mapping.label('ConformityStatus'),
          status === undefined ? undefined : mapping.label(status).join(' / '),
        ),
        ...field(mapping.label('Concessions'), joinText(textsAt(value, 'Concessions'), '; ')),
        ...named(mapping, value, ['DateOfIssue']),
        ...named(mapping, signature, ['SignerName', 'SignerPosition', 'SignatureDate', 'SignatureStamp']),
      ]),
      ...headed(mapping.label('Remarks'), paragraphs(remarks)),
    ],
    'declaration',
  )
}
