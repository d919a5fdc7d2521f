import { deriveSchemas, withEmptyTexts, withoutKeywords } from '../../registry/derive-schemas.ts'
import schema from './schema.json' with { type: 'json' }

const texts = ['enum', 'pattern', 'minLength', 'maxLength', 'format']
const demands = ['required', 'additionalProperties', 'minItems', 'anyOf', 'oneOf', 'minimum', 'maximum']
const anyObject = { type: 'object' }

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
          '/properties/DigitalMaterialPassport/required': schema.properties.DigitalMaterialPassport.required,
          '/properties/DigitalMaterialPassport/properties/IssueDate/format': 'date',
          '/properties/DigitalMaterialPassport/properties/HeatTreatment': {
            type: ['object', 'array', 'string'],
          },
          '/properties/DigitalMaterialPassport/properties/TransactionData/required': [
            'Parties',
            'BusinessTransaction',
          ],
          '/properties/DigitalMaterialPassport/properties/TransactionData/properties/Parties/required': [
            'Manufacturer',
            'Customer',
          ],
          '/$defs/Party/required': ['Name'],
          '/$defs/Party/properties/Email/format': 'email',
          '/$defs/Product/required': ['Name'],
          '/$defs/Product/properties/ProductNorms/items': anyObject,
          '/$defs/Product/properties/MaterialNorms/items': anyObject,
          '/$defs/Product/properties/MaterialDesignations/items': anyObject,
          '/$defs/Product/properties/Shape': { type: ['object', 'array'] },
          '/$defs/Product/properties/DeliveryCondition': { type: ['object', 'array', 'string'] },
          '/$defs/Product/properties/DimensionalTolerances': { type: ['object', 'array'] },
          '/$defs/Result': {
            type: 'object',
            properties: {
              ResultType: {
                enum: ['numeric', 'boolean', 'string', 'range', 'array', 'structuredArray', 'multiValue'],
              },
            },
            required: ['ResultType'],
          },
          '/$defs/Measurement/required': ['Actual'],
          '/$defs/Element/required': ['Actual'],
          '/$defs/Validation/required': ['ValidationStatement', 'ValidationDate', 'Validators'],
        },
      },
      { version: '0.0.1' },
    ],
  }),
]
