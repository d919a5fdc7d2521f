import type { JsonValue } from '@millseal/proof'
import { at, listAt, textAt } from '../../certificate/shown.ts'
import type { Block } from '../../model/document.ts'
import { field, fieldsBlock, headed, joinText, section } from '../../mapping/blocks.ts'
import { companyParty, contactsAt } from '../../mapping/companies.ts'
import { contactsTable } from '../../mapping/contacts-table.ts'
import type { FamilyContent } from '../../family.ts'
import { inspectionTitle } from '../../mapping/inspection-title.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { pictureOf } from '../../mapping/picture-block.ts'
import { deliveryFields, named, orderFields } from '../../mapping/transaction-fields.ts'
import { chemistryBlocks } from './chemistry.ts'
import { heatTreatmentBlocks } from './heat-treatment.ts'
import { measurementBlocks } from './measurements.ts'
import { productBlocks } from './product.ts'
import { validationBlocks } from './validation.ts'

const roles = ['Manufacturer', 'Customer', 'Subcustomer', 'GoodsReceiver', 'CertificateReceiver']
const properties = ['MechanicalProperties', 'PhysicalProperties', 'SupplementaryTests']

export const logo = (json: JsonValue): string | undefined =>
  textAt(json, 'DigitalMaterialPassport', 'TransactionData', 'Parties', 'Manufacturer', 'Logo')

export const mapMetals = (mapping: Mapping): FamilyContent => {
  const passport = at(mapping.json, 'DigitalMaterialPassport')
  const parties = at(passport, 'TransactionData', 'Parties')
  const type = at(passport, 'Validation', 'CertificateType')
  const standard = joinText([textAt(type, 'Standard'), textAt(type, 'Type')])
  const { title } = inspectionTitle(mapping, standard)
  return {
    title: textAt(type, 'Type') === undefined ? mapping.label('DigitalMaterialPassport') : title,
    standard,
    number: textAt(passport, 'Id'),
    date: textAt(passport, 'IssueDate'),
    logo: pictureOf(mapping, {
      value: logo(mapping.json),
      pointer: '/DigitalMaterialPassport/TransactionData/Parties/Manufacturer/Logo',
      name: 'Logo',
    }),
    parties: roles.flatMap((role) => companyParty(mapping, at(parties, role), { role: mapping.label(role) })),
    sections: [
      ...section(mapping.label('TransactionData'), transactionBlocks(mapping, passport)),
      ...section(mapping.label('Product'), productBlocks(mapping, at(passport, 'Product'))),
      ...section(
        mapping.label('ChemicalAnalysis'),
        listAt(passport, 'ChemicalAnalysis').flatMap((analysis) => chemistryBlocks(mapping, analysis)),
      ),
      ...section(mapping.label('HeatTreatment'), heatTreatmentBlocks(mapping, at(passport, 'HeatTreatment'))),
      ...properties.flatMap((name) =>
        section(
          mapping.label(name),
          withoutCaption(measurementBlocks(mapping, { name, values: listAt(passport, name) })),
        ),
      ),
      ...section(
        mapping.label('Validation'),
        validationBlocks(mapping, at(passport, 'Validation')),
        'declaration',
      ),
    ],
    files: [],
  }
}

/** The section title above the first table says the same as its caption. */
const withoutCaption = ([first, ...rest]: readonly Block[]): readonly Block[] => {
  if (first?.kind !== 'table') return first === undefined ? [] : [first, ...rest]
  const { columns, rows } = first.table
  return [{ kind: 'table', table: { columns, rows } }, ...rest]
}

const transactionBlocks = (mapping: Mapping, passport: JsonValue | undefined): readonly Block[] => {
  const transaction = at(passport, 'TransactionData', 'BusinessTransaction')
  const contract = at(transaction, 'Contract')
  const contacts = roles.flatMap((role) =>
    contactsAt(passport, 'TransactionData', 'Parties', role, 'Contacts'),
  )
  return [
    ...fieldsBlock([
      ...named(mapping, passport, ['Id', 'Version', 'IssueDate', 'ExpirationDate']),
      ...field(
        mapping.label('Contract'),
        joinText([textAt(contract, 'Id'), textAt(contract, 'Date'), textAt(contract, 'Description')], ', '),
      ),
      ...orderFields(mapping, transaction),
      ...deliveryFields(mapping, transaction),
    ]),
    ...headed(
      mapping.label('Contacts'),
      contactsTable(contacts, {
        name: mapping.label('Name'),
        role: mapping.label('Title'),
        department: mapping.label('Department'),
        email: mapping.label('Email'),
        phone: mapping.label('Phone'),
      }),
    ),
  ]
}
