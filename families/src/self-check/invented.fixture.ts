type Json = { [key: string]: unknown }

/** A value with its limits, all of two places. */
export type Limited = { readonly value: string; readonly min: string; readonly max: string }
/** What a certificate of any family may say; a family leaves out what it has no place for. */
export type Content = {
  readonly limited: Limited
  readonly series: { readonly values: readonly string[]; readonly mean: string }
  readonly equivalent: string
  readonly iron: string
  readonly strength: { readonly rm: string; readonly yield: string }
  readonly heats: { readonly listed: readonly string[]; readonly tested: readonly string[] }
  readonly dates: { readonly issued: string; readonly made: string }
  readonly mass: string
  readonly declaration: string | undefined
}

/** C 0.20, Mn 1.20: CEV 0.40. Two pieces of 10 kg. */
export const right: Content = {
  limited: { value: '0.020', min: '0.010', max: '0.025' },
  series: { values: ['60', '62', '64'], mean: '62' },
  equivalent: '0.40',
  iron: '97.5',
  strength: { rm: '520', yield: '370' },
  heats: { listed: ['H-1', 'H-2', 'H-3'], tested: ['H-1', 'H-2', 'H-3'] },
  dates: { issued: '2026-02-01', made: '2026-01-31' },
  mass: '20',
  declaration: 'The product conforms to the order.',
}

const boundary = (text: string | undefined) => (text === undefined ? undefined : { Value: text })

const shares = ({ limited, equivalent, iron }: Content): readonly (Partial<Limited> & { of: string })[] => [
  ...['Cr', 'Mo', 'V', 'Ni', 'Cu'].map((of) => ({ of, value: '0.000' })),
  { of: 'C', value: '0.200' },
  { of: 'Mn', value: '1.200' },
  { of: 'Fe', value: iron },
  { of: 'CEV', value: equivalent },
  { of: 'P', ...limited },
]

export const builders: Readonly<Record<string, (content: Content) => Json>> = {
  en10168: (content) => ({
    CommercialTransaction: { A02: 'EN 10204 3.1' },
    ProductDescription: {
      B07: content.heats.listed,
      B08: 2,
      B11: { Property: 'Unit mass', Value: 10, Unit: 'kg' },
      B13: { Value: content.mass, Unit: 'kg' },
    },
    Inspection: content.heats.tested.map((heat, index) => ({
      C00: heat,
      SupplementaryInformation: { C04: { Key: 'Test date', Value: content.dates.made, Type: 'date' } },
      ChemicalComposition: Object.fromEntries(
        shares(index === 1 ? content : right).map((share, at) => [
          `C${71 + at}`,
          {
            Symbol: share.of,
            Actual: { Value: share.value },
            Minimum: boundary(share.min),
            Maximum: boundary(share.max),
          },
        ]),
      ),
      TensileTest: {
        C11: { Property: 'ReH', Value: content.strength.yield, Unit: 'MPa' },
        C12: { Property: 'Rm', Value: content.strength.rm, Unit: 'N/mm²' },
      },
      NotchedBarImpactTest: {
        C42: content.series.values.map((Value) => ({ Value, Unit: 'J' })),
        C43: { Value: content.series.mean, Unit: 'J' },
      },
    })),
    Validation: { Z01: content.declaration, Z02: content.dates.issued },
  }),
  coa: (content) => ({
    Standard: { Norm: 'EN 10204', Type: '3.1' },
    Parties: {},
    Date: content.dates.issued,
    Product: { ProductionDate: content.dates.made },
    Analysis: {
      Inspections: [
        {
          Property: 'Moisture',
          Value: content.limited.value,
          Minimum: content.limited.min,
          Maximum: content.limited.max,
        },
        { Property: 'Tensile strength', Value: content.strength.rm, Unit: 'MPa' },
        { Property: 'Yield strength', Value: content.strength.yield, Unit: 'MPa' },
      ],
    },
    DeclarationOfConformity: { Declaration: content.declaration },
  }),
  metals: (content) => ({
    IssueDate: content.dates.issued,
    TransactionData: {},
    Product: {
      Quantity: 2,
      Weight: Number(content.mass),
      WeightUnit: 'kg',
      ProductionDate: content.dates.made,
      Shape: { Length: 5000, Unit: 'mm', MassPerLength: 2, MassPerLengthUnit: 'kg/m' },
    },
    ChemicalAnalysis: {
      Elements: shares(content).map((share) => ({
        PropertySymbol: share.of,
        Actual: { ResultType: 'numeric', Value: share.value },
        Minimum: boundary(share.min),
        Maximum: boundary(share.max),
      })),
    },
    MechanicalProperties: [
      { PropertySymbol: 'Rm', Unit: 'MPa', Actual: { ResultType: 'numeric', Value: content.strength.rm } },
      { PropertySymbol: 'Re', Unit: 'MPa', Actual: { ResultType: 'numeric', Value: content.strength.yield } },
      {
        PropertySymbol: 'KV',
        Unit: 'J',
        Actual: {
          ResultType: 'multiValue',
          Values: content.series.values.map((Value) => ({ Value })),
          Statistics: { Average: { Value: content.series.mean } },
        },
      },
    ],
    Validation: {
      CertificateType: { Standard: 'EN 10204', Type: '3.1' },
      ValidationStatement: { Statement: content.declaration },
    },
  }),
  'e-coc': (content) => ({
    Data: {
      EcocType: 'MaterialCertificate3.1',
      ObjectOfDeclaration: content.heats.listed.map((heat) => ({
        ObjectId: heat,
        Quantities: [
          { Amount: 2, Unit: 'pcs' },
          { Amount: Number(content.mass), Unit: 'kg' },
        ],
        ObjectProperties: [
          { Name: 'CastNo', Value: [heat] },
          { Name: 'UnitMass', Value: ['10'] },
          { Name: 'TestDate', Value: [content.dates.made] },
        ],
      })),
    },
    Results: {
      ChemicalAnalysis: content.heats.tested.map((heat) => ({
        Heat: heat,
        Values: shares(content).map((share) => ({
          Symbol: share.of,
          ActualFrom: share.value,
          Minimum: share.min,
          Maximum: share.max,
        })),
      })),
      MaterialCertification: [
        {
          NameOfTest: 'TensileTest',
          TestValues: [
            { ValueName: 'Rm', Unit: 'MPa', ActualFrom: content.strength.rm },
            { ValueName: 'Rp0.2', Unit: 'MPa', ActualFrom: content.strength.yield },
          ],
        },
      ],
    },
  }),
}

const roots: Readonly<Record<string, (content: Content, body: Json) => Json>> = {
  'e-coc': ({ dates, declaration }, body) => ({
    EcocData: body,
    Declaration: { DateOfIssue: dates.issued, CocConfirmationText: declaration },
  }),
  metals: (_, body) => ({ DigitalMaterialPassport: body }),
}

export const certificateOf = (name: string, content: Content): Json => {
  const body = builders[name]?.(content) ?? {}
  const root = roots[name]?.(content, body) ?? { Certificate: body }
  return { RefSchemaUrl: 'https://schemas.example/schema.json', ...root }
}
