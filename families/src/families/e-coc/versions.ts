import { deriveSchemas, withoutKeywords } from '../../registry/derive-schemas.ts'
import schema from './schema.json' with { type: 'json' }

const numberOrText = { type: ['number', 'string'] }

/** The drafts of 0.0.2 demand little: most lists may be empty and most properties missing. */
export const schemas = deriveSchemas(
  withoutKeywords(schema, ['required', 'minItems', 'oneOf', 'additionalProperties']),
  {
    type: 'e-coc-schemas',
    versions: [
      {
        version: '0.0.2',
        changes: {
          '/required': ['RefSchemaUrl', 'EcocData'],
          '/properties/Id': numberOrText,
          '/properties/URL': { type: 'string' },
          '/properties/EcocData/required': ['DataLevel'],
          '/properties/Declaration/properties/Signature/properties/PartyRefOfSigner': numberOrText,
          '/$defs/Party/required': ['PartyName', 'PartyAddress'],
          '/$defs/Party/properties/PartyAddress/required': [
            'StreetAddress',
            'City',
            'PostalCode',
            'CountryCode',
          ],
          '/$defs/Object/properties/Dimensions/items/properties/Direction': { type: 'string' },
          '/$defs/Object/properties/ReferencedObjects/items': numberOrText,
          '/$defs/Analysis/required': ['Values'],
          '/$defs/Analysis/properties/Values/items': {
            type: 'object',
            properties: { Symbol: { type: 'string' }, ActualFrom: { type: 'number' } },
            required: ['Symbol', 'ActualFrom'],
          },
        },
      },
    ],
  },
)
