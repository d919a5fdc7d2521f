import type { JsonValue } from '@millseal/proof'
import { at, listAt, textAt, textsAt } from '../../certificate/shown.ts'
import type { FamilyContent } from '../../family.ts'
import { field, fieldsBlock, headed, joinText, paragraphs, section, table } from '../../mapping/blocks.ts'
import { companyParty } from '../../mapping/companies.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { named } from '../../mapping/transaction-fields.ts'
import type { Block } from '../../model/document.ts'
import { attachedDocuments, documentBlocks } from './documents.ts'
import { harvestBlocks } from './harvest.ts'
import { partyOf, roles } from './parties.ts'
import { periodText, productBlocks } from './products.ts'

export const mapForestry = (mapping: Mapping): FamilyContent => {
  const passport = at(mapping.json, 'DigitalMaterialPassport')
  const plots = [...listAt(passport, 'HarvestUnits'), ...listAt(passport, 'ForestPlots')]
  return {
    title: mapping.label('ForestryPassport'),
    number:
      textAt(passport, 'GeneralInformation', 'UserDefinedId') ??
      textAt(passport, 'UserDefinedId') ??
      textAt(passport, 'Id'),
    date: textAt(passport, 'Date'),
    parties: roles.flatMap((role) =>
      companyParty(mapping, partyOf(passport, role), { role: mapping.label(role) }),
    ),
    sections: [
      ...section(mapping.label('GeneralInformation'), generalBlocks(mapping, passport)),
      ...section(mapping.label('Transaction'), transactionBlocks(mapping, passport)),
      ...section(
        mapping.label('Products'),
        listAt(passport, 'Products').flatMap((product) => productBlocks(mapping, product)),
      ),
      ...section(mapping.label('HarvestUnits'), [
        ...harvestBlocks(mapping, plots),
        ...fieldsBlock(named(mapping, passport, ['HarvestUnitsDownloadURL'])),
      ]),
      ...section(mapping.label('Documents'), documentBlocks(mapping, at(passport, 'Documents'))),
      ...section(mapping.label('References'), referenceBlocks(mapping, passport)),
      ...section(
        mapping.label('DueDiligenceStatement'),
        paragraphs(textsAt(passport, 'DueDiligenceStatement')),
        'declaration',
      ),
    ],
    files: attachedDocuments(mapping, at(passport, 'Documents')),
  }
}

const generalBlocks = (mapping: Mapping, passport: JsonValue | undefined): readonly Block[] => {
  const general = at(passport, 'GeneralInformation')
  return fieldsBlock([
    ...named(mapping, passport, ['Id', 'UserDefinedId']),
    ...named(mapping, general, [
      'UserDefinedId',
      'Country',
      'State',
      'District',
      'ForestConcessionNameOrNumber',
      'HarvestAuthorizationNameOrNumber',
    ]),
    ...field(mapping.label('HarvestingPeriod'), periodText(at(general, 'HarvestingPeriod'))),
    ...certification(mapping, general),
  ])
}

const certification = (mapping: Mapping, value: JsonValue | undefined) => [
  ...named(mapping, value, ['CertificationNumber', 'CertificationClaim']),
  ...field(mapping.label('CertificationPercentage'), textAt(value, 'CertificationPercentage'), { unit: '%' }),
]

const transactionBlocks = (mapping: Mapping, passport: JsonValue | undefined): readonly Block[] => {
  const [order, sales] = [at(passport, 'PurchaseOrder'), at(passport, 'SalesOrder')]
  const terms = at(sales, 'Incoterms', 'incoterm')
  const about = (name: string) => ['Id', 'Position', 'Date'].map((part) => `${name}${part}`)
  const referenced = (value: JsonValue | undefined, name: string) =>
    about(name).flatMap((label) => field(mapping.label(label), textAt(value, label.slice(name.length))))
  return [
    ...headed(
      mapping.label('PurchaseOrder'),
      fieldsBlock([
        ...referenced(order, 'Order'),
        ...named(mapping, order, ['CustomerProductId', 'CustomerProductName']),
      ]),
    ),
    ...headed(
      mapping.label('SalesOrder'),
      fieldsBlock([
        ...referenced(sales, 'Order'),
        ...certification(mapping, sales),
        ...field(
          mapping.label('Incoterms'),
          joinText([textAt(terms, 'code'), textAt(terms, 'description')], ' · '),
        ),
      ]),
    ),
    ...headed(
      mapping.label('Delivery'),
      fieldsBlock([
        ...referenced(at(passport, 'Delivery'), 'Delivery'),
        ...named(mapping, at(passport, 'Delivery'), [
          'PackingList',
          'BillOfLading',
          'Booking',
          'Container',
          'Carrier',
          'Packages',
          'Lots',
          'Batches',
        ]),
      ]),
    ),
  ]
}

const referenceBlocks = (mapping: Mapping, passport: JsonValue | undefined): readonly Block[] =>
  [
    {
      name: 'EUDRReferences',
      parts: ['DDSReferenceNumber', 'VerificationNumber', 'InternalReferenceNumber'],
    },
    { name: 'DMPReferences', parts: ['UserDefinedId', 'Id', 'JsonURL', 'PdfURL'] },
  ].flatMap(({ name, parts }) => {
    const rows = listAt(passport, name)
    return table(
      parts.map((part) => ({
        label: mapping.label(part),
        isName: true,
        cells: rows.map((row) => textAt(row, part)),
      })),
      { caption: mapping.label(name) },
    )
  })
