import { deriveSchemas, withEmptyTexts, withoutKeywords } from '../../registry/derive-schemas.ts'
import schema from './schema.json' with { type: 'json' }

const texts = ['enum', 'pattern', 'minLength', 'maxLength', 'format']
const demands = ['required', 'additionalProperties', 'minItems', 'anyOf', 'oneOf', 'minimum', 'maximum']
const anything = {}

/** Before 0.1.1, results, norms, designations and treatments had other forms, some of them several at a time. */
const lenient = withoutKeywords(schema, [...texts, ...demands])

export const schemas = [
  ...deriveSchemas(withEmptyTexts(schema), { type: 'metals-schemas', versions: [{ version: '0.1.1' }] }),
  ...deriveSchemas(lenient, {
    type: 'metals-schemas',
    versions: [
      {
        version: '0.1.0',
        changes: {
          '/required': schema.required,
          '/properties/DigitalMaterialPassport/required': ['Languages', 'Id', 'Product', 'TransactionData'],
          '/properties/DigitalMaterialPassport/properties/IssueDate/format': 'date',
          '/properties/DigitalMaterialPassport/properties/HeatTreatment': anything,
          '/properties/DigitalMaterialPassport/properties/ChemicalAnalysis': { type: ['object', 'array'] },
          '/properties/DigitalMaterialPassport/properties/TransactionData/required': ['Parties'],
          '/properties/DigitalMaterialPassport/properties/TransactionData/properties/Parties/required': [
            'Manufacturer',
            'Customer',
          ],
          '/$defs/Party/required': ['Name'],
          '/$defs/Party/properties/Email/format': 'email',
          '/$defs/Product': { type: 'object', properties: { Name: { type: 'string' } }, required: ['Name'] },
          '/$defs/Result': {
            type: 'object',
            properties: {
              ResultType: {
                enum: ['numeric', 'boolean', 'string', 'range', 'array', 'structuredArray', 'multiValue'],
              },
            },
            required: ['ResultType'],
          },
          '/$defs/Measurement': {
            type: 'object',
            properties: { Actual: { $ref: '#/$defs/Result' } },
            required: ['Actual'],
          },
          '/$defs/Validation': { type: 'object' },
        },
      },
      { version: '0.0.1' },
    ],
  }),
]
