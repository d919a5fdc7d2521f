import { deriveSchemas, withEmptyTexts } from '../../registry/derive-schemas.ts'
import schema from './schema.json' with { type: 'json' }

const text = { type: 'string' }
const statement = { $ref: '#/$defs/Statement' }
const share = { type: 'number', minimum: 0, maximum: 100 }
const dateOrTime = { anyOf: [{ format: 'date' }, { format: 'date-time' }] }
const { oneOf: shapes } = schema.$defs.Shape
const marking = { ...schema.$defs.Validation.properties.Z04, additionalProperties: true }

const version02 = {
  '/$defs/Inspection/required': ['C00', 'ChemicalComposition'],
  '/$defs/CommercialTransaction/properties/A97': { type: 'number' },
  '/$defs/Shape/oneOf': shapes.map((shape) => ({
    ...shape,
    required: shape.required.filter((name) => name !== 'Unit'),
  })),
  '/properties/Certificate/required': [...schema.properties.Certificate.required, 'Inspection'],
}

/** Further properties are allowed in the commercial transaction, in 0.5.0 in the validation and in shares of elements, until 0.4.1 in companies. */
export const schemas = deriveSchemas(withEmptyTexts(schema), {
  type: 'en10168-schemas',
  versions: [
    {
      version: '0.5.0',
      changes: {
        '/$defs/CommercialTransaction/additionalProperties': true,
        ...Object.fromEntries(
          ['Actual', 'Minimum', 'Maximum'].map((name) => [
            `/$defs/Element/properties/${name}/anyOf/1/additionalProperties`,
            true,
          ]),
        ),
        '/$defs/Validation/additionalProperties': true,
        '/$defs/Validation/properties/Z03/anyOf/1/additionalProperties': true,
        '/$defs/Validation/properties/Z04': marking,
      },
    },
    {
      version: '0.4.1',
      changes: {
        '/$defs/Company/additionalProperties': true,
        '/$defs/CommercialTransaction/properties/SupplementaryInformation/patternProperties': {
          '^A(1[0-9]|[2-9][0-9])': statement,
        },
        '/$defs/Validation/additionalProperties': false,
        // Either as today, or with the title of the inspector, a disclaimer and a standard.
        '/$defs/Validation/properties/Z02': text,
        '/$defs/Validation/properties/Z04': { anyOf: [marking, text] },
        '/$defs/Validation/properties/Z05': text,
        '/$defs/Validation/anyOf': [
          { properties: { Z02: dateOrTime, Z04: { type: 'object', additionalProperties: true } } },
          { required: ['Z03'], properties: { Z04: text } },
        ],
      },
    },
    {
      version: '0.4.0',
      changes: {
        '/$defs/Element/properties/Actual': share,
        '/$defs/Element/properties/Minimum': share,
        '/$defs/Element/properties/Maximum': share,
      },
    },
    {
      version: '0.3.0',
      changes: {
        '/$defs/Company/properties/Country': { type: 'string', minLength: 2, maxLength: 2 },
        '/$defs/ProductDescription/properties/B02': schema.$defs.ProductDescription.properties.B02.anyOf[1],
        '/$defs/ProductDescription/required': ['B01', 'B02', 'B07', 'B08', 'B09', 'B10', 'B13'],
        '/$defs/Validation/anyOf': undefined,
        '/$defs/Validation/properties/Z02': { type: 'string', ...dateOrTime },
        '/$defs/Validation/properties/Z04': marking,
        '/$defs/Validation/properties/Z05': undefined,
      },
    },
    { version: '0.2.1', changes: version02 },
    { version: '0.2.0', changes: version02 },
    { version: '0.1.0' },
    { version: '0.0.3' },
    {
      version: '0.0.2',
      changes: {
        '/$defs/ProductDescription/required': ['B01', 'B02', 'B07', 'B08'],
        '/$defs/ProductDescription/if': false,
      },
    },
    {
      version: '0.0.2-1',
      changes: Object.fromEntries(
        ['B10', 'B11', 'B12', 'B13'].map((code) => [
          `/$defs/ProductDescription/properties/${code}`,
          { anyOf: [{ type: 'number' }, { $ref: '#/$defs/Measurement' }] },
        ]),
      ),
    },
  ],
})
