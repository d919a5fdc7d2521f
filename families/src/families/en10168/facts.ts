import type { JsonValue } from '@millseal/proof'
import { textAt } from '../../certificate/shown.ts'
import type { Fact } from '../../facts/fact.ts'
import { chemicalName, mechanicalName } from '../../facts/names.ts'
import {
  eachAt,
  limitsAt,
  membersAt,
  type Place,
  placeAt,
  resultAt,
  resultFact,
  textFact,
} from '../../facts/places.ts'

export const facts = (json: JsonValue): readonly Fact[] => {
  const certificate = placeAt({ value: json, pointer: '' }, 'Certificate')
  return [
    ...document(certificate),
    ...product(placeAt(certificate, 'ProductDescription')),
    ...eachAt(certificate, 'Inspection').flatMap(inspected),
  ]
}

const document = (certificate: Place): readonly Fact[] => [
  ...textFact(certificate, { of: 'standard' }, 'CommercialTransaction', 'A02'),
  ...textFact(certificate, { of: 'order' }, 'CommercialTransaction', 'A07'),
  ...textFact(certificate, { of: 'order item' }, 'CommercialTransaction', 'A97'),
  ...textFact(certificate, { of: 'issue date' }, 'Validation', 'Z02'),
  ...textFact(certificate, { of: 'declaration' }, 'Validation', 'Z01'),
]

const dimensions: Readonly<Record<string, string>> = {
  Thickness: 'thickness',
  WallThickness: 'thickness',
  Diameter: 'diameter',
  OuterDiameter: 'diameter',
  SideLength: 'side',
  Height: 'height',
  Width: 'width',
  Length: 'length',
}

const product = (described: Place): readonly Fact[] => {
  const shape = placeAt(described, 'B09')
  const unit = textAt(shape.value, 'Unit')
  return [
    ...textFact(described, { of: 'grade' }, 'B02'),
    ...textFact(described, { of: 'grade' }, 'B02', 'SteelDesignation'),
    ...['ProductNorm', 'MaterialNorm'].flatMap((name) =>
      textFact(described, { of: 'product standard' }, 'B02', name),
    ),
    ...textFact(described, { of: 'identifier' }, 'B07'),
    ...resultFact(placeAt(described, 'B08'), { of: 'pieces' }),
    ...Object.entries(dimensions).flatMap(([name, of]) => resultFact(placeAt(shape, name), { of, unit })),
    ...['B10', 'B11'].flatMap((code) =>
      measured(placeAt(described, code), (name) => (isUnitMass.test(name) ? 'unit mass' : name)),
    ),
    ...measured(placeAt(described, 'B12'), () => 'theoretical mass', { unnamed: 'theoretical mass' }),
    ...measured(placeAt(described, 'B13'), () => 'mass', { unnamed: 'mass' }),
  ]
}

const isUnitMass = /^(?:unit mass|mass per piece|stückgewicht|stückmasse)$/i

type Tested = Partial<Fact>

const inspected = (inspection: Place): readonly Fact[] => {
  const { value } = inspection
  const tested = {
    heat: textAt(value, 'C00'),
    place:
      [textAt(value, 'C01'), textAt(value, 'C02')].filter((text) => text !== undefined).join(' ') ||
      undefined,
    condition: textAt(value, 'C03'),
  }
  const [tensile, notched, hardness] = ['TensileTest', 'NotchedBarImpactTest', 'HardnessTest'].map((name) =>
    placeAt(inspection, name),
  ) as [Place, Place, Place]
  const supplements = eachAt(inspection, 'SupplementaryInformation').flatMap(membersAt)
  return [
    ...membersAt(placeAt(inspection, 'ChemicalComposition')).flatMap((share) => shareOf(share, tested)),
    ...['C11', 'C12', 'C13'].flatMap((code) =>
      measured(placeAt(tensile, code), mechanicalName, {
        ...tested,
        unnamed: tensileNames[code],
      }),
    ),
    ...series(notched, { values: 'C42', mean: 'C43', of: 'KV', tested }),
    ...series(hardness, {
      values: 'C31',
      mean: 'C32',
      of: hardnessName(textAt(hardness.value, 'C30')),
      tested,
    }),
    ...supplements
      .filter((one) => isTestDate.test(textAt(one.value, 'Key') ?? ''))
      .flatMap((one) => textFact(one, { of: 'test date', heat: tested.heat }, 'Value')),
  ]
}

const tensileNames: Readonly<Record<string, string>> = { C11: 'yield strength', C12: 'Rm', C13: 'elongation' }
const isTestDate = /^(?:date of (?:the )?test|test(?:ing)? date|prüfdatum)$/i

const hardnessName = (method: string | undefined): string => {
  const name = mechanicalName(method)
  return name === 'HBW' || name === 'HV' ? name : 'hardness'
}

const shareOf = (share: Place, { heat, place }: Tested): readonly Fact[] => {
  const symbol = textAt(share.value, 'Symbol')
  if (symbol === undefined) return []
  return resultFact(placeAt(share, 'Actual'), {
    of: chemicalName(symbol),
    unit: textAt(share.value, 'Unit') ?? (textAt(share.value, 'Formula') === undefined ? '%' : undefined),
    formula: textAt(share.value, 'Formula'),
    heat,
    place,
    limits: limitsAt(share),
  })
}

const measured = (
  place: Place,
  nameOf: (printed: string) => string,
  { unnamed = '–', ...tested }: Tested & { readonly unnamed?: string | undefined } = {},
): readonly Fact[] => {
  const printed = textAt(place.value, 'Property')
  return resultFact(place, {
    of: printed === undefined ? unnamed : nameOf(printed),
    unit: textAt(place.value, 'Unit'),
    ...tested,
    limits: limitsAt(place),
  })
}

/** The printed mean with its single values, or each single value if no mean is printed. */
const series = (
  test: Place,
  { values, mean, of, tested }: { values: string; mean: string; of: string; tested: Tested },
): readonly Fact[] => {
  const single = eachAt(test, values)
  const [printed] = measured(placeAt(test, mean), () => of, { ...tested, unnamed: of })
  if (printed === undefined)
    return single.flatMap((one) =>
      resultFact(one, { of, unit: textAt(one.value, 'Unit'), ...tested, limits: {} }),
    )
  const results = single.flatMap((one) => resultAt(one) ?? [])
  const isSeries =
    results.length === single.length && results.every(({ operator }) => (operator ?? '=') === '=')
  return [
    { ...printed, series: isSeries && results.length > 0 ? results.map(({ value }) => value) : undefined },
  ]
}
