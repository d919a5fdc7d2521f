import type { JsonValue } from '@millseal/proof'
import { at, listAt, textAt, textsAt } from '../../certificate/shown.ts'
import type { Block } from '../../model/document.ts'
import { field, fieldsBlock, headed, joinText, paragraphs, table } from '../../mapping/blocks.ts'
import { contactsAt } from '../../mapping/companies.ts'
import { contactsTable } from '../../mapping/contacts-table.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { pictureBlocks } from '../../mapping/picture-block.ts'
import { named } from '../../mapping/transaction-fields.ts'
import { resultText } from './result-text.ts'

const pointer = '/DigitalMaterialPassport/Validation'

export const validationBlocks = (mapping: Mapping, value: JsonValue | undefined): readonly Block[] => {
  const statement = at(value, 'ValidationStatement')
  const people = contactsTable(contactsAt(value, 'Validators'), {
    name: mapping.label('Name'),
    role: mapping.label('Title'),
    department: mapping.label('Department'),
    email: mapping.label('Email'),
    phone: mapping.label('Phone'),
  })
  return [
    ...paragraphs(textsAt(statement, 'Statement')),
    ...fieldsBlock([
      ...named(mapping, statement, ['ComplianceType', 'Standards']),
      ...named(mapping, value, ['ValidationDate', 'ValidationPlace']),
    ]),
    ...statementTable(mapping, listAt(statement, 'IndividualStatements')),
    ...headed(mapping.label('Validators'), people),
    ...listAt(value, 'Validators').flatMap((validator, index) =>
      pictureBlocks(mapping, {
        value: textAt(validator, 'StampImage'),
        pointer: `${pointer}/Validators/${index}/StampImage`,
        name: 'Stamp',
      }),
    ),
    ...headed(mapping.label('CEMarking'), marking(mapping, at(value, 'CEMarking'))),
    ...listAt(value, 'OtherMarkings').flatMap((other, index) => otherMarking(mapping, { other, index })),
    ...headed(mapping.label('Disclaimer'), paragraphs(textsAt(value, 'Disclaimer'))),
  ]
}

const statementTable = (mapping: Mapping, statements: readonly JsonValue[]): readonly Block[] =>
  table(
    [
      { label: mapping.label('Number'), cells: statements.map((one) => textAt(one, 'StatementId')) },
      { label: mapping.label('Statement'), cells: statements.map((one) => textAt(one, 'StatementText')) },
      {
        label: mapping.label('RegulatoryReference'),
        cells: statements.map((one) => textAt(one, 'RegulatoryReference')),
      },
      {
        label: mapping.label('Confirmed'),
        cells: statements.map((one) => resultText(mapping, at(one, 'Confirmed'))),
      },
    ],
    { caption: mapping.label('IndividualStatements') },
  )

const marking = (mapping: Mapping, value: JsonValue | undefined): readonly Block[] => [
  ...pictureBlocks(mapping, {
    value: textAt(value, 'CEImage'),
    pointer: `${pointer}/CEMarking/CEImage`,
    name: 'CEMarking',
  }),
  ...fieldsBlock(
    named(mapping, value, [
      'NotifiedBodyNumber',
      'DoCYear',
      'DoCNumber',
      'Directives',
      'HarmonizedStandards',
    ]),
  ),
]

const otherMarking = (
  mapping: Mapping,
  { other, index }: { other: JsonValue; index: number },
): readonly Block[] =>
  headed(
    [textAt(other, 'MarkingType') ?? mapping.label('OtherMarkings')[0] ?? ''],
    [
      ...pictureBlocks(mapping, {
        value: textAt(other, 'MarkingImage'),
        pointer: `${pointer}/OtherMarkings/${index}/MarkingImage`,
        name: 'OtherMarkings',
      }),
      ...fieldsBlock([
        ...named(mapping, other, ['CertificateNumber', 'IssuingBody']),
        ...field(mapping.label('IssueDate'), joinText([textAt(other, 'IssueDate')])),
        ...named(mapping, other, ['ExpiryDate']),
      ]),
    ],
  )
