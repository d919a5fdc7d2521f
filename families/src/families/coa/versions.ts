import { deriveSchemas } from '../../registry/derive-schemas.ts'
import schema from './schema.json' with { type: 'json' }

const text = { type: 'string' }
const number = { type: 'number' }
const numberOrText = { type: ['number', 'string'] }
const transaction = '/properties/Certificate/properties/BusinessTransaction/properties'
const product = '/properties/Certificate/properties/Product'

export const schemas = deriveSchemas(schema, {
  type: 'coa-schemas',
  versions: [
    { version: '1.1.0' },
    { version: '1.0.1' },
    {
      version: '0.2.0',
      changes: {
        '/$defs/Company/required': ['ZipCode', 'City', 'Country'],
        '/$defs/Company/anyOf': [{ required: ['AddressLine1'] }, { required: ['Street'] }],
        '/$defs/Company/properties/AddressLine1': text,
        '/$defs/Company/properties/AddressLine2': text,
        '/$defs/Company/properties/Identifier': {
          type: 'object',
          properties: { VAT: text, DUNS: text, CageCode: text },
        },
        '/$defs/Inspection/properties/Minimum': numberOrText,
        '/$defs/Inspection/properties/Maximum': numberOrText,
      },
    },
    { version: '0.1.1' },
    { version: '0.1.0' },
    {
      version: '0.0.4',
      changes: {
        '/properties/Certificate/required': schema.properties.Certificate.required.filter(
          (name) => name !== 'Standard' && name !== 'Logo',
        ),
        '/properties/Certificate/properties/Type': text,
        '/properties/Certificate/properties/Parties/properties/ConsigneeOfGoods': { $ref: '#/$defs/Company' },
        '/properties/Certificate/properties/Analysis/properties/AdditionalInformation': {
          type: 'array',
          items: text,
        },
        [`${transaction}/Order/required`]: ['Number'],
        [`${transaction}/Order/properties/InternalOrderNumber`]: text,
        [`${transaction}/Order/properties/InternalOrderPosition`]: text,
        [`${transaction}/OrderConfirmation/required`]: ['Number'],
        [`${transaction}/Delivery/required`]: ['Number'],
        [`${transaction}/Delivery/properties/GoodsReceiptNumber`]: text,
        [`${product}/required`]: ['Name', 'ChargeNumber'],
        [`${product}/properties/Number`]: text,
        [`${product}/properties/CustomerProductNumber`]: text,
        [`${product}/properties/ChargeNumber`]: text,
        [`${product}/properties/CountryOfOrigin`]: text,
        [`${product}/properties/Standards`]: { type: 'array', items: text },
        [`${product}/properties/AdditionalInformation`]: { type: 'array', items: text },
        '/$defs/Person/required': [],
        '/$defs/Person/properties/Fax': text,
        '/$defs/Inspection/required': ['Property', 'Method', 'Value'],
        '/$defs/Inspection/properties/Value': numberOrText,
        '/$defs/Inspection/properties/CAMPUSPropertyId': number,
        '/$defs/Inspection/properties/SubProperty': text,
        '/$defs/Inspection/properties/Symbol': text,
        '/$defs/Inspection/properties/SupplementaryInstructions': text,
        '/$defs/Inspection/properties/Temperature': number,
        '/$defs/Inspection/properties/Weight': number,
        '/properties/Certificate/properties/DeclarationOfConformity/properties/Declaration': text,
        '/properties/Certificate/properties/DeclarationOfConformity/properties/CE': {
          type: 'object',
          properties: { CE_Image: text, NotifiedBodyNumber: text, DoCYear: text, DoCNumber: text },
        },
      },
    },
    { version: '0.0.3' },
    {
      version: '0.0.2',
      // Its drafts, named after plastics, had inspections and references outside groups.
      changes: {
        '/properties/Certificate/required': ['CertificateLanguages', 'Parties', 'DeclarationOfConformity'],
        '/properties/Certificate/anyOf': [
          { required: ['Id', 'Date', 'BusinessTransaction', 'Product'] },
          { required: ['BusinessReferences', 'Product', 'Inspections'] },
        ],
        '/properties/Certificate/properties/BusinessReferences': { type: 'object' },
        '/properties/Certificate/properties/Inspections': {
          type: 'array',
          items: { $ref: '#/$defs/Inspection' },
        },
        '/properties/Certificate/properties/DeclarationOfConformity/type': ['object', 'string'],
      },
    },
    { version: '0.0.1' },
  ],
})
