import { inventedJson, pixel } from './invented-certificate.ts'
import { type Json, name } from './old-names.ts'

const company = (CompanyName: string, more: Json = {}): Json => ({
  CompanyName,
  Street: 'Works Road 1',
  ZipCode: '1000',
  City: 'Exampleton',
  Country: 'AT',
  Email: 'mill@example.org',
  VAT_Id: 'ATU12345678',
  ...more,
})

const statement = (Key: string, Value: string): Json => ({ Key, Value, Type: 'string' })

/** An EN 10168 certificate as versions before 0.4 have it: one inspection, numbers for shares, a norm as an object. */
export const oldEn10168 = (version: string, changes: { product?: Json; inspection?: Json } = {}): Json => ({
  RefSchemaUrl: name('en10168', version),
  Certificate: {
    CertificateLanguages: ['EN', 'DE'],
    CommercialTransaction: {
      A01: company('Example Mill', { Fax: '+43 1 777' }),
      A02: 'Mill Certificate EN 10204 3.1',
      A03: 'C-77/001',
      A04: pixel(),
      A05: 'Factory Production Control',
      'A06.1': company('Example Trader'),
      'A06.3': company('Example Store'),
      A07: 'PO-77',
      A97: version === '0.3.0' ? '1' : 1,
      A98: 'DN-78',
      SupplementaryInformation: { A10: statement('Buyer reference', 'BR-1') },
    },
    ProductDescription: {
      B01: 'Seamless tube',
      B02: { SteelDesignation: ['S355J2H', 'P355NH'], ProductNorm: ['EN 10219-1'] },
      B07: '7282',
      B08: 16,
      B09: {
        Form: 'RectangularTube',
        Width: 200,
        Height: 150,
        WallThickness: 6.5,
        ...(version === '0.3.0' ? { Unit: 'mm' } : {}),
      },
      B10: { Property: 'Length', Value: 12000, Unit: 'mm' },
      B13: { Value: 5739.3, Unit: 'kg' },
      ...changes.product,
    },
    Inspection: {
      C00: '175508',
      C03: '-20 Celsius',
      TensileTest: { C11: { Property: 'ReH', Value: 377.12, Unit: 'MPa' } },
      NotchedBarImpactTest: { C42: [{ Value: 42 }, { Value: 39 }, { Value: 40 }], C43: { Value: 40 } },
      ChemicalComposition: {
        C70: 'E',
        C71: { Symbol: 'C', Actual: 0.15 },
        C72: { Symbol: 'Mn', Actual: 1.06 },
      },
      ...changes.inspection,
    },
    Validation: {
      Z01: 'The material conforms to the order.',
      Z02: '2018-10-23T09:30:10-01:00',
      Z03: 'Inspector One',
      Z04: { CE_Image: pixel(), NotifiedBodyNumber: '0780', DoCYear: '19', DoCNumber: '0780-1' },
    },
  },
})

/** As 0.4 has it: several inspections, shares as text or number, a title of the inspector and a disclaimer. */
export const en10168Of04 = (version: string): Json => {
  const { Certificate } = inventedJson({
    validation: {
      Z01: 'It conforms.',
      Z02: 'Works inspector',
      Z03: 'One',
      Z04: 'No liability.',
      Z05: 'EN 10168',
    },
  })
  const share = version === '0.4.0' ? 0.15 : '0.15'
  return {
    RefSchemaUrl: name('en10168', version),
    Certificate: {
      ...Certificate,
      Inspection: [{ C00: '1', ChemicalComposition: { C71: { Symbol: 'C', Actual: share } } }],
    },
  }
}

const draftResults = {
  MaterialCertification: [
    {
      NameOfTest: 'ChemicalComposition weight proportion (OES)',
      RefObjectIDs: ['1'],
      TestOK: true,
      TestValues: [
        {
          ValueName: 'Si',
          Unit: 'percent',
          TypeOfValue: 'number',
          SpecMin: '',
          SpecMax: '0.40',
          ActualFrom: '0.24',
          ActualTo: '0.24',
        },
        {
          ValueName: 'OtherSingle',
          Unit: 'percent',
          TypeOfValue: 'number',
          SpecMin: '',
          SpecMax: '0.05',
          ActualFrom: '0.01',
          ActualTo: '0.02',
        },
      ],
    },
  ],
}

/** A certificate of conformity as the drafts have it: empty lists, no reference of the signer to a party. */
export const draftECoc = (changes: { level?: string; role?: string; version?: string } = {}): Json => ({
  Id: '89172671',
  Uuid: 'c42cf70d-042e-44e6-a918-02e57aa69982',
  URL: '',
  RefSchemaUrl: name('e-coc', changes.version ?? '0.0.2'),
  EcocData: {
    DataLevel: changes.level ?? 'C',
    Data: {
      EcocType: 'MaterialCertificate3.1',
      Parties: [
        {
          PartyNo: 1,
          PartyName: 'Example Trading',
          PartyIdentifier: [{ NameOfIdentifier: 'VATID', ValueOfIdentifier: 'DE12234567890' }],
          PartyAddress: {
            StreetAddress: 'Lane 1',
            City: 'Exampleton',
            PostalCode: '10115',
            CountryCode: 'DE',
            State: '',
          },
          PartyRole: changes.role ?? 'Recipient',
          AdditionalPartyProperties: [],
        },
      ],
      BusinessRef: { StandardReferences: [{ Name: 'OrderNo', Value: '686901' }] },
      ObjectOfDeclaration: [
        {
          ObjectId: '1',
          ObjectName: 'Plate',
          ObjectType: 'Material',
          NormativeRef: [],
          ObjectProperties: [{ Name: 'BatchNo', Value: ['46423/02'] }],
          AdditionalObjectProperties: [],
        },
      ],
    },
    Results: draftResults,
  },
  Declaration: {
    DateOfIssue: '2020-01-28',
    Concessions: ['', ''],
    remarks: ['Made in Austria'],
    ConformityStatus: 'True',
    Signature: {
      SignerName: 'Signer One',
      SignerPosition: 'Specialist',
      SignatureStamp: 'ABC',
      SignatureDate: '2020-01-28',
    },
    CocConfirmationText: ['The delivery conforms to the order.'],
  },
})

const numeric = (Value: number) => ({ ResultType: 'numeric', Value })

const oldSeries = [
  {
    PropertyName: 'Fatigue',
    Actual: {
      ResultType: 'array',
      Values: [650, 635],
      Parameters: [10000, 50000],
      ParameterName: 'Cycles',
      ParameterUnit: 'N',
    },
  },
  {
    PropertyName: 'Position',
    Actual: {
      ResultType: 'array',
      ParameterName: 'Location',
      Data: [{ Parameter: 0.25, Value: numeric(485) }],
    },
  },
  {
    PropertyName: 'Sensitivity',
    Actual: { ResultType: 'range', Minimum: 0.85, Maximum: 0.92, Inclusive: true },
  },
]

const oldTables = [
  {
    PropertyName: 'Beam',
    Actual: {
      ResultType: 'structuredArray',
      Parameters: ['Size', 'Value'],
      ParameterUnits: ['', 'mm'],
      DataPoints: [
        ['Height', '200.5'],
        ['Length', '12000.5'],
      ],
    },
  },
  {
    PropertyName: 'Structure',
    Actual: { ResultType: 'string', Value: 'Equiaxed', AllowedValues: ['Equiaxed', 'Lamellar'] },
  },
]

/** A passport for metals as 0.0.1 has it: other names in norms and designations, series as two lists. */
export const oldMetals = (version: string): Json => ({
  RefSchemaUrl: `https://schemas.materialidentity.org/metals-schemas/v${version}/schema.json`,
  DigitalMaterialPassport: {
    Languages: ['EN'],
    Id: 'DMP-1',
    Version: '1.0.0',
    IssueDate: '2025-05-17',
    TransactionData: {
      Parties: {
        Manufacturer: { Name: 'Example Metals', Street: ['Road 1'], ZipCode: '1', City: 'Aa', Country: 'DE' },
        Customer: { Name: 'Example Institute', Street: ['Road 2'], ZipCode: '2', City: 'Bb', Country: 'FR' },
      },
      BusinessTransaction: {
        Order: { Id: 'PO-1' },
        Delivery: { Id: 'DN-1', Quantity: 1, QuantityUnit: 'kg' },
      },
    },
    Product: {
      Name: 'Titanium bar',
      ProductNorms: [{ Designation: 'ASTM F136', Year: '2022', Grade: 'Grade 23' }],
      MaterialDesignations: [{ System: 'UNS', Designation: 'R56401' }],
      BatchId: 'B-1',
      HeatTreatment: 'Annealed',
    },
    ChemicalAnalysis: {
      HeatNumber: 'T-1',
      Elements: [{ PropertySymbol: 'Ti', Unit: '%', Actual: { ...numeric(89.32), Uncertainty: 0.05 } }],
    },
    MechanicalProperties: oldSeries,
    SupplementaryTests: oldTables,
    Validation: {
      ValidationStatement: { Statement: 'It conforms.', ComplianceType: 'Declaration of Conformity' },
      ValidationDate: '2025-08-21',
      Validators: [{ Name: 'Validator One', Title: 'Inspector' }],
    },
  },
})
