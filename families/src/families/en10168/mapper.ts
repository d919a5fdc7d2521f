import type { JsonValue } from '@millseal/proof'
import { at, listAt, textAt } from '../../certificate/shown.ts'
import type { Block, Field, Party, Section } from '../../model/document.ts'
import { attachedFiles } from '../../mapping/attached-files.ts'
import { field, fieldsBlock, headed, joinText, paragraphs, section, table } from '../../mapping/blocks.ts'
import { companyParty } from '../../mapping/companies.ts'
import type { FamilyContent } from '../../family.ts'
import { inspectionTitle } from '../../mapping/inspection-title.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { pictureBlocks, pictureOf } from '../../mapping/picture-block.ts'
import { chemistryFields, chemistryTable } from './chemistry.ts'
import { mechanicalTests } from './mechanical-tests.ts'
import { productBlocks } from './product.ts'
import {
  statementBlocks,
  statementFields,
  statementPictures,
  statementsAt,
  statementTable,
} from './statements.ts'

const partyCodes = ['A01', 'A06', 'A06.1', 'A06.2', 'A06.3', 'A06.4']
const transactionCodes = ['A02', 'A03', 'A05', 'A07', 'A97', 'A08', 'A09', 'A98', 'A96', 'A99']

export const logo = (json: JsonValue): string | undefined =>
  textAt(json, 'Certificate', 'CommercialTransaction', 'A04')

export const mapEn10168 = (mapping: Mapping): FamilyContent => {
  const certificate = at(mapping.json, 'Certificate')
  const transaction = at(certificate, 'CommercialTransaction')
  const inspections = listAt(certificate, 'Inspection')
  return {
    ...inspectionTitle(mapping, textAt(transaction, 'A02')),
    number: textAt(transaction, 'A03'),
    date: textAt(certificate, 'Validation', 'Z02'),
    logo: pictureOf(mapping, {
      value: logo(mapping.json),
      pointer: '/Certificate/CommercialTransaction/A04',
      name: 'A04',
    }),
    parties: partyCodes.flatMap((code): readonly Party[] =>
      companyParty(mapping, at(transaction, code), { role: mapping.label(code), code }),
    ),
    sections: [
      ...section(mapping.label('CommercialTransaction'), transactionBlocks(mapping, transaction)),
      ...section(
        mapping.label('ProductDescription'),
        productBlocks(mapping, at(certificate, 'ProductDescription')),
      ),
      ...section(mapping.label('Inspection'), inspectionBlocks(mapping, inspections)),
      ...section(mapping.label('OtherTests'), otherTestBlocks(mapping, at(certificate, 'OtherTests'))),
      ...validation(mapping, at(certificate, 'Validation')),
    ],
    files: attachedFiles(mapping, {
      value: at(certificate, 'Attachments'),
      pointer: '/Certificate/Attachments',
      names: { type: 'MIME-Type' },
    }),
  }
}

const transactionBlocks = (mapping: Mapping, transaction: JsonValue | undefined): readonly Block[] => {
  const statements = statementsAt(transaction, 'SupplementaryInformation')
  return [
    ...fieldsBlock([
      ...transactionCodes.flatMap((code) => field(mapping.label(code), textAt(transaction, code), { code })),
      ...statementFields(statements),
    ]),
    ...statementPictures(mapping, {
      statements,
      pointer: '/Certificate/CommercialTransaction/SupplementaryInformation',
    }),
  ]
}

const inspectionBlocks = (mapping: Mapping, inspections: readonly JsonValue[]): readonly Block[] => {
  const { process, formulas } = chemistryFields(inspections)
  return [
    ...samples(mapping, inspections),
    ...chemistryTable(mapping, inspections),
    ...statementBlocks(
      inspections.flatMap((inspection) =>
        statementsAt(inspection, 'ChemicalComposition', 'SupplementaryInformation'),
      ),
      [
        ...field(mapping.label('C70'), joinText(process, ', '), { code: 'C70' }),
        ...field(mapping.label('Formula'), joinText(formulas, '; ')),
      ],
    ),
    ...mechanicalTests(mapping, inspections),
  ]
}

/** Location and orientation of the samples: fields for one inspection, a table for several that say more than their heats. */
const samples = (mapping: Mapping, inspections: readonly JsonValue[]): readonly Block[] => {
  const codes = ['C00', 'C01', 'C02', 'C03']
  const [only] = inspections
  if (inspections.length === 1) {
    return statementBlocks(
      statementsAt(only, 'SupplementaryInformation'),
      codes.flatMap((code) => field(mapping.label(code), textAt(only, code), { code })),
    )
  }
  const rows = inspections.map((inspection) => statementsAt(inspection, 'SupplementaryInformation'))
  const extra = new Map(rows.flat().map(({ code, key }) => [code, key]))
  const named = codes.filter((code) =>
    inspections.some((inspection) => textAt(inspection, code) !== undefined),
  )
  if (named.length === 1 && extra.size === 0) {
    return fieldsBlock(
      named.flatMap((code) => {
        const values = inspections.map((inspection) => textAt(inspection, code))
        return field(mapping.label(code), joinText(values, ', '), { code })
      }),
    )
  }
  return table([
    ...codes.map((code) => ({
      label: mapping.label(code),
      code,
      isName: true,
      cells: inspections.map((inspection) => textAt(inspection, code)),
    })),
    ...[...extra].map(([code, key]) => ({
      label: [key],
      code,
      isName: true,
      cells: rows.map((row) => {
        const found = row.find((statement) => statement.code === code)
        return joinText([found?.value, found?.unit])
      }),
    })),
  ])
}

const otherTestBlocks = (mapping: Mapping, tests: JsonValue | undefined): readonly Block[] => [
  ...fieldsBlock(field(mapping.label('D01'), textAt(tests, 'D01'), { code: 'D01' })),
  ...['NonDestructiveTests', 'OtherProductTests'].flatMap((name) =>
    statementTable(mapping, { name, statements: statementsAt(tests, name) }),
  ),
]

const validation = (mapping: Mapping, value: JsonValue | undefined): readonly Section[] => {
  const pointer = '/Certificate/Validation'
  const statements = statementsAt(value, 'SupplementaryInformation')
  const stamp = textAt(value, 'Z03', 'StampImage')
  const inspector = joinText([textAt(value, 'Z03', 'Name'), textAt(value, 'Z03', 'Title')], ', ')
  const signed: readonly Field[] = [
    ...field(mapping.label('Z02'), textAt(value, 'Z02'), { code: 'Z02' }),
    ...field(mapping.label('Z03'), inspector ?? textAt(value, 'Z03'), { code: 'Z03' }),
    ...statementFields(statements),
  ]
  return section(
    mapping.label('Validation'),
    [
      ...paragraphs([textAt(value, 'Z01')].filter((text) => text !== undefined)),
      ...fieldsBlock(signed),
      ...pictureBlocks(mapping, { value: stamp, pointer: `${pointer}/Z03/StampImage`, name: 'Stamp' }),
      ...marking(mapping, at(value, 'Z04')),
      ...statementPictures(mapping, { statements, pointer: `${pointer}/SupplementaryInformation` }),
    ],
    'declaration',
  )
}

const marking = (mapping: Mapping, value: JsonValue | undefined): readonly Block[] => {
  const image = textAt(value, 'CE_Image')
  return headed(mapping.label('Z04'), [
    ...pictureBlocks(mapping, { value: image, pointer: '/Certificate/Validation/Z04/CE_Image', name: 'Z04' }),
    ...fieldsBlock([
      ...field(mapping.label('Z04.NotifiedBody'), textAt(value, 'NotifiedBodyNumber'), { code: 'Z04' }),
      ...field(mapping.label('Z04.DoCYear'), textAt(value, 'DoCYear'), { code: 'Z04' }),
      ...field(mapping.label('Z04.DoCNumber'), textAt(value, 'DoCNumber'), { code: 'Z04' }),
    ]),
  ])
}
