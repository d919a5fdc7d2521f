import sample from '../src/families/forestry/sample.json' with { type: 'json' }

type Json = { [key: string]: unknown }

const species = { CommonName: 'Spruce', ScientificName: { Genus: 'Picea', Species: 'abies' } }
const drafted = { ...species, Quantity: 500.5, QuantityUnit: 'm³' }
const period = { StartDate: '2026-01-01', EndDate: '2026-01-31' }
const {
  Languages,
  Id,
  GeneralInformation,
  HarvestUnits,
  Supplier,
  Producer,
  Customer,
  Creator,
  Documents,
  DueDiligenceStatement,
} = sample.DigitalMaterialPassport
const company = {
  CompanyName: 'Example Forest',
  Street: ['Road 1'],
  ZipCode: '1',
  City: 'Aa',
  Country: 'CA',
  Identifiers: { CBN: '987654321' },
}
const common = { Languages, Id, Supplier, Creator, DueDiligenceStatement }
const plot = {
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      geometry: {
        type: 'GeometryCollection',
        geometries: [{ type: 'Point', coordinates: [-123.45, 45.675] }],
      },
    },
  ],
}

const passport = (type: string, version: string, DigitalMaterialPassport: Json): Json => ({
  RefSchemaUrl: `https://schemas.materialidentity.org/${type}-schemas/v${version}/schema.json`,
  DigitalMaterialPassport,
})

/** Passports for timber as the published versions have them. */
export const oldTimber: readonly Json[] = [
  passport('forestry', '0.0.1', {
    Languages,
    Id,
    UserDefinedId: 'DMP-001',
    Date: '2024-03-21',
    Parties: { Supplier: company, Producer: company },
    ForestPlots: [plot],
    Products: [
      { Name: 'Pine logs', HTSCode: '4403.21.00', ProductionPeriod: period, SpeciesList: [drafted] },
    ],
    DueDiligenceStatement,
    Documents: [
      {
        Type: 'HarvestingPermit',
        Attachment: {
          FileName: 'permit.pdf',
          'MIME-Type': 'application/pdf',
          Encoding: 'base64',
          Data: 'aGk=',
        },
      },
    ],
  }),
  passport('forestry-source', '0.0.1', {
    ...common,
    Producer,
    GeneralInformation,
    HarvestUnits,
    Products: [
      { ProductType: 'Logs', HTSCode: '4403.24.00', ProductionPeriod: period, ListOfSpecies: [drafted] },
    ],
    Documents,
  }),
  ...['1.0.0', '1.1.0'].map((version) =>
    passport('forestry-source', version, {
      ...common,
      Date: '2024-09-15',
      GeneralInformation,
      HarvestUnits: [...HarvestUnits, plot],
      Products: [
        {
          ProductType: 'Logs',
          DescriptionOfProduct: 'Saw logs',
          HSCode: version === '1.0.0' ? '4403.24.00' : '4403.24',
          CustomsClassification: { HTS: version === '1.0.0' ? '4403.24.00.10' : '4403.24.0010' },
          ProductionPeriod: period,
          ListOfSpecies: [{ ...species, Measurements: { Volume: { Value: 850.75, Unit: 'm³' } } }],
        },
      ],
      Documents,
    }),
  ),
  passport('forestry-output', '1.0.0', {
    ...common,
    Customer,
    Date: '2024-07-15',
    GeneralInformation: { UserDefinedId: 'DMP-1', Country: 'CA' },
    Products: [
      {
        HSCode: '4403.11.00',
        Measurements: { NetWeight: { Value: 60000, Unit: 'kg' } },
        ListOfSpecies: [species],
      },
    ],
    DMPReferences: [{ Id, UserDefinedId: 'DMP-0' }],
    HarvestUnitsDownloadURL: 'https://forest.example.org/units.zip',
  }),
]
