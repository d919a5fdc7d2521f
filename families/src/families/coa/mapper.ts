import type { JsonValue } from '@millseal/proof'
import { at, listAt, textAt, textsAt } from '../../certificate/shown.ts'
import type { Block, Section } from '../../model/document.ts'
import { attachedFiles } from '../../mapping/attached-files.ts'
import {
  field,
  fieldsBlock,
  headed,
  joinText,
  paragraphs,
  section,
  table,
  unitColumn,
} from '../../mapping/blocks.ts'
import { companyParty, contactsAt } from '../../mapping/companies.ts'
import { contactsTable } from '../../mapping/contacts-table.ts'
import type { FamilyContent } from '../../family.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { pictureBlocks, pictureOf } from '../../mapping/picture-block.ts'
import { deliveryFields, named, orderFields } from '../../mapping/transaction-fields.ts'
import { transactionOf } from './transaction.ts'

const roles = [
  'Manufacturer',
  'Customer',
  'Receiver',
  'GoodsReceiver',
  'ConsigneeOfGoods',
  'ConsigneeOfCertificate',
]

export const logo = (json: JsonValue): string | undefined => textAt(json, 'Certificate', 'Logo')

export const mapCoa = (mapping: Mapping): FamilyContent => {
  const certificate = at(mapping.json, 'Certificate')
  const transaction = transactionOf(certificate)
  const files = { value: at(certificate, 'Attachments'), pointer: '/Certificate/Attachments' }
  return {
    title: mapping.label('CertificateOfAnalysis'),
    standard: joinText([
      textAt(certificate, 'Standard', 'Norm'),
      textAt(certificate, 'Standard', 'Type') ?? textAt(certificate, 'Type'),
    ]),
    number: textAt(certificate, 'Id'),
    date: textAt(certificate, 'Date'),
    logo: pictureOf(mapping, {
      value: logo(mapping.json),
      pointer: '/Certificate/Logo',
      name: 'Logo',
    }),
    parties: roles.flatMap((role) =>
      companyParty(mapping, at(certificate, 'Parties', role), { role: mapping.label(role) }),
    ),
    sections: [
      ...section(mapping.label('BusinessTransaction'), [
        ...headed(mapping.label('Order'), fieldsBlock(orderFields(mapping, transaction))),
        ...headed(mapping.label('Delivery'), fieldsBlock(deliveryFields(mapping, transaction))),
      ]),
      ...section(mapping.label('Product'), productBlocks(mapping, at(certificate, 'Product'))),
      ...section(
        mapping.label('Inspections'),
        analysisBlocks(mapping, at(certificate, 'Analysis') ?? certificate),
      ),
      ...declaration(mapping, certificate),
    ],
    files: attachedFiles(mapping, { ...files, names: { type: 'MIME-Type' } }),
  }
}

const productBlocks = (mapping: Mapping, product: JsonValue | undefined): readonly Block[] => [
  ...fieldsBlock([
    ...field(mapping.label('ProductName'), textAt(product, 'Name')),
    ...field(mapping.label('ProductId'), textAt(product, 'Id') ?? textAt(product, 'Number')),
    ...named(mapping, product, [
      'CustomerProductNumber',
      'ChargeNumber',
      'FillingBatchId',
      'FillingBatchDate',
      'ProductionBatchId',
      'ProductionDate',
      'ExpirationDate',
      'CountryOfOrigin',
      'PlaceOfOrigin',
      'Standards',
    ]),
    ...more(mapping, product),
  ]),
]

const more = (mapping: Mapping, value: JsonValue | undefined) =>
  field(mapping.label('AdditionalInformation'), joinText(textsAt(value, 'AdditionalInformation'), '; '))

const analysisBlocks = (mapping: Mapping, analysis: JsonValue | undefined): readonly Block[] => {
  const inspections = listAt(analysis, 'Inspections')
  const cells = (name: string) => inspections.map((inspection) => textAt(inspection, name))
  const column = (name: string) => ({ label: mapping.label(name), cells: cells(name) })
  const { columns, unit } = unitColumn(mapping.label('Unit'), cells('Unit'))
  return [
    ...fieldsBlock(named(mapping, analysis, ['LotId', 'PropertiesStandard'])),
    ...table([
      { ...column('PropertyId'), isName: true },
      { ...column('CAMPUSPropertyId'), isName: true },
      column('Property'),
      column('SubProperty'),
      column('Symbol'),
      column('Method'),
      column('TestConditions'),
      column('SupplementaryInstructions'),
      { ...column('Temperature'), unit: '°C' },
      { ...column('Weight'), unit: 'kg' },
      ...columns,
      { ...column('Minimum'), unit },
      { ...column('Maximum'), unit },
      { ...column('Value'), unit },
    ]),
    ...fieldsBlock(more(mapping, analysis)),
  ]
}

const declaration = (mapping: Mapping, certificate: JsonValue | undefined): readonly Section[] => {
  const statement = at(certificate, 'DeclarationOfConformity')
  const marking = at(statement, 'CE')
  const people = contactsTable(contactsAt(certificate, 'Contacts'), {
    name: mapping.label('ContactName'),
    role: mapping.label('ContactRole'),
    department: mapping.label('ContactDepartment'),
    email: mapping.label('ContactEmail'),
    phone: mapping.label('ContactPhone'),
  })
  return section(
    mapping.label('DeclarationOfConformity'),
    [
      ...paragraphs([...textsAt(statement), ...textsAt(statement, 'Declaration')]),
      ...headed(mapping.label('CE'), [
        ...pictureBlocks(mapping, {
          value: textAt(marking, 'CE_Image'),
          pointer: '/Certificate/DeclarationOfConformity/CE/CE_Image',
          name: 'CE',
        }),
        ...fieldsBlock(
          named(mapping, marking, [
            'NotifiedBodyNumber',
            'YearDocumentIssued',
            'DocumentNumber',
            'DoCYear',
            'DoCNumber',
          ]),
        ),
      ]),
      ...headed(mapping.label('Contacts'), people),
      ...headed(mapping.label('Disclaimer'), paragraphs(textsAt(certificate, 'Disclaimer'))),
    ],
    'declaration',
  )
}
