import { applyChanges, deriveSchemas, withoutKeywords } from '../../registry/derive-schemas.ts'
import schema from './schema.json' with { type: 'json' }

const passport = '/properties/DigitalMaterialPassport'
const concession = ['Country', 'State', 'ForestConcessionNameOrNumber', 'HarvestAuthorizationNameOrNumber']
const common = ['Languages', 'Id', 'Products', 'Supplier', 'Creator', 'DueDiligenceStatement']
const harvest = [...common, 'GeneralInformation', 'HarvestUnits', 'Documents']

const demands = ['required', 'additionalProperties', 'oneOf', 'minItems', 'minProperties', 'exclusiveMinimum']
const texts = ['pattern', 'enum', 'minLength', 'maxLength']

const source = deriveSchemas(
  applyChanges(schema, {
    [`${passport}/required`]: [...harvest, 'Date'],
    '/$defs/GeneralInformation/required': ['UserDefinedId', ...concession],
    '/$defs/Documents/required': ['HarvestAuthorization'],
    '/$defs/Species/required': ['CommonName', 'ScientificName', 'Measurements'],
  }),
  {
    type: 'forestry-source-schemas',
    versions: [
      { version: '1.1.0' },
      { version: '1.0.0' },
      {
        version: '0.0.1',
        changes: {
          [`${passport}/required`]: harvest,
          '/$defs/GeneralInformation/required': concession,
          '/$defs/Species/required': ['CommonName', 'ScientificName', 'Quantity', 'QuantityUnit'],
          '/$defs/Documents/required': [],
        },
      },
    ],
  },
)

const output = deriveSchemas(
  applyChanges(schema, {
    [`${passport}/required`]: [...common, 'GeneralInformation', 'Date', 'Customer'],
    '/$defs/GeneralInformation/required': ['UserDefinedId', 'Country'],
  }),
  {
    type: 'forestry-output-schemas',
    versions: [
      { version: '1.0.0' },
      {
        version: '0.0.1',
        changes: {
          [`${passport}/required`]: [...common, 'Customer'],
          '/$defs/GeneralInformation/required': [],
        },
      },
    ],
  },
)

/** The first drafts: parties in a group of their own, documents as attachments, further properties nearly anywhere. */
const drafts = deriveSchemas(withoutKeywords(schema, [...demands, ...texts]), {
  type: 'forestry-schemas',
  versions: [
    {
      version: '0.0.1',
      changes: {
        '/required': schema.required,
        [`${passport}/required`]: ['Languages', 'Id', 'Products'],
        '/$defs/Documents': { type: ['object', 'array'] },
        '/$defs/Product/properties/SpeciesList': { type: 'array' },
        '/$defs/Geometry': { type: 'object', required: ['type'] },
      },
    },
  ],
})

export const schemas = [...source, ...output, ...drafts]
