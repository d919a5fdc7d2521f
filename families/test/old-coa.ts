import { pixel } from './invented-certificate.ts'
import { type Json, name } from './old-names.ts'

const partner = (Name: string, more: Json): Json => ({
  Name,
  ZipCode: '1000',
  City: 'Exampleton',
  Country: 'DE',
  Email: 'plastics@example.org',
  ...more,
})

const company = (CompanyName: string, more: Json): Json => {
  const { Name: _, ...rest } = partner('', more)
  return { CompanyName, ...rest }
}

const draftAnalysis = {
  Inspections: [
    {
      Property: 'MFR',
      SubProperty: 'at rest',
      Symbol: 'm',
      Method: 'ISO 1133',
      Unit: 'g/10min',
      Value: 31.5,
      Minimum: 15,
      Maximum: 35.25,
      SupplementaryInstructions: 'as agreed',
      TestConditions: 'dry',
      Temperature: 190,
      Weight: 2.16,
    },
  ],
}

/** A certificate of analysis as the drafts before 0.1 have it. */
export const draftCoa = (version: string, manufacturer: Json = {}): Json => ({
  RefSchemaUrl: name('coa', version),
  Certificate: {
    CertificateLanguages: ['EN'],
    Id: '43',
    Date: '2021-12-12',
    Type: '3.1',
    Parties: {
      Manufacturer: {
        ...partner('Example Plastics', { Street: 'Road 1', Identifier: { VAT: '', DUNS: '' } }),
        ...manufacturer,
      },
      Customer: partner('Example Processor', { Street: 'Road 2', Identifier: { VAT: 'DE1234567' } }),
      ConsigneeOfGoods: partner('Example Depot', { Street: 'Road 3', Identifier: { VAT: '' } }),
    },
    BusinessTransaction: {
      Order: { Number: 'O-1', Position: '1', InternalOrderNumber: '3384', InternalOrderPosition: '20' },
      OrderConfirmation: { Number: 'OC-22' },
      Delivery: { Number: 'D-3', Quantity: 90, QuantityUnit: 'kg', GoodsReceiptNumber: 'GR-9' },
    },
    Product: { Number: 'P-2', Name: 'Example PA', CustomerProductNumber: '00003', ChargeNumber: '210000' },
    Analysis: draftAnalysis,
    DeclarationOfConformity: {
      Declaration: 'Valid without signature.',
      CE: { CE_Image: pixel(), NotifiedBodyNumber: '0780', DoCYear: '2021', DoCNumber: 'N-1' },
    },
    Contacts: [{ Name: 'Contact One', Role: 'Quality', Phone: '', Fax: '+49 30 1' }],
  },
})

/** As 0.1 and 0.2 have it: two address lines, limits as numbers. */
export const coaOf01 = (version: string): Json => ({
  RefSchemaUrl: name('coa', version),
  Certificate: {
    CertificateLanguages: ['EN'],
    Id: '44',
    Date: '2022-03-04',
    Standard: { Norm: 'EN 10204', Type: '3.1' },
    Parties: {
      Manufacturer: partner('Example Plastics', {
        AddressLine1: 'Road 1',
        AddressLine2: 'Hall B',
        Identifier: { VAT: 'DE1234567' },
      }),
      Customer: partner('Example Processor', { AddressLine1: 'Road 2', Identifier: { VAT: 'DE7654321' } }),
    },
    BusinessTransaction: {
      Order: { Id: 'O-1', Quantity: 90, QuantityUnit: 'kg' },
      Delivery: { Id: 'D-3', Quantity: 90, QuantityUnit: 'kg' },
    },
    Product: { Name: 'Example PA', FillingBatchId: 'FB-1' },
    Analysis: {
      Inspections: [
        { Property: 'MFR', Method: 'ISO 1133', Value: '31', ValueType: 'number', Minimum: 15, Maximum: 35 },
      ],
    },
    DeclarationOfConformity: { Declaration: 'Valid without signature.' },
    Logo: pixel(),
  },
})

/** The first drafts, whose name was that of plastics: references and inspections outside groups, a plain declaration. */
export const draftPlastic = (version: string): Json => ({
  RefSchemaUrl: `https://schemas.en10204.io/plastic-schemas/v${version}/schema.json`,
  Certificate: {
    CertificateLanguages: ['DE'],
    ...(version === '0.0.1' ? {} : { Id: '45', Date: '2021-12-01' }),
    Parties: {
      Manufacturer: company('Example Plastics', { Street: 'Road 1', Identifier: { VAT: '', CageCode: '' } }),
      Customer: company('Example Processor', { Street: 'Road 2', Identifier: { VAT: '' } }),
    },
    BusinessReferences: {
      Order: { Number: version === '0.0.1' ? 1 : 'O-1', Position: '1', Quantity: 100, QuantityUnit: 'kg' },
      OrderConfirmation: { Number: 'OC-22' },
      Delivery: { Number: 'D-3', Quantity: 90, QuantityUnit: 'kg', Transport: ['W345678'] },
      GoodsReceiptNumber: 'GR-9',
    },
    Product: { Number: '', Name: 'Example PA', PlaceOfOrigin: 'Exampleton', ChargeNumber: '210000' },
    Inspections: draftAnalysis.Inspections,
    DeclarationOfConformity: version === '0.0.1' ? 'As ordered.' : { Declaration: 'As ordered.' },
  },
})
