import type { JsonValue } from '@millseal/proof'
import { textAt } from '../../certificate/shown.ts'
import type { Fact } from '../../facts/fact.ts'
import { chemicalName, mechanicalName } from '../../facts/names.ts'
import {
  eachAt,
  limitsAt,
  type Place,
  placeAt,
  resultAt,
  resultFact,
  textFact,
  transactionFacts,
} from '../../facts/places.ts'

export const facts = (json: JsonValue): readonly Fact[] => {
  const passport = placeAt({ value: json, pointer: '' }, 'DigitalMaterialPassport')
  const analyses = eachAt(passport, 'ChemicalAnalysis')
  const heats = new Set(analyses.flatMap(({ value }) => textAt(value, 'HeatNumber') ?? []))
  const [heat] = heats.size === 1 ? heats : []
  const lists = ['MechanicalProperties', 'PhysicalProperties', 'SupplementaryTests']
  return [
    ...document(passport),
    ...transactionFacts(placeAt(passport, 'TransactionData', 'BusinessTransaction')),
    ...eachAt(passport, 'Product').flatMap(product),
    ...analyses.flatMap(analysed),
    ...lists.flatMap((list) => eachAt(passport, list).flatMap((one) => property(one, heat))),
  ]
}

const document = (passport: Place): readonly Fact[] => [
  ...textFact(passport, { of: 'standard' }, 'Validation', 'CertificateType', 'Standard'),
  ...textFact(passport, { of: 'issue date' }, 'IssueDate'),
  ...textFact(passport, { of: 'declaration' }, 'Validation', 'ValidationStatement', 'Statement'),
  ...eachAt(passport, 'HeatTreatment').flatMap((one) =>
    textFact(one, { of: 'production date' }, 'ProcessDate'),
  ),
]

const dimensions: Readonly<Record<string, string>> = {
  Thickness: 'thickness',
  WallThickness: 'thickness',
  Diameter: 'diameter',
  OuterDiameter: 'diameter',
  Height: 'height',
  Width: 'width',
  Length: 'length',
}

const product = (place: Place): readonly Fact[] => {
  const shape = placeAt(place, 'Shape')
  const unit = textAt(shape.value, 'Unit')
  const about = { place: textAt(place.value, 'BatchId') }
  return [
    ...['Name', 'Number'].flatMap((name) =>
      eachAt(place, 'MaterialDesignations').flatMap((one) => textFact(one, { of: 'grade', ...about }, name)),
    ),
    ...['ProductNorms', 'MaterialNorms'].flatMap((list) =>
      eachAt(place, list).flatMap((one) => textFact(one, { of: 'product standard' }, 'Standard')),
    ),
    ...textFact(place, { of: 'identifier' }, 'BatchId'),
    ...textFact(place, { of: 'production date' }, 'ProductionDate'),
    ...resultFact(placeAt(place, 'Quantity'), { of: 'pieces' }),
    ...resultFact(placeAt(place, 'Weight'), { of: 'mass', unit: textAt(place.value, 'WeightUnit') }),
    ...Object.entries(dimensions).flatMap(([name, of]) => resultFact(placeAt(shape, name), { of, unit })),
    ...resultFact(placeAt(shape, 'MassPerLength'), {
      of: 'mass per length',
      unit: textAt(shape.value, 'MassPerLengthUnit'),
    }),
  ]
}

const analysed = (analysis: Place): readonly Fact[] => {
  const tested = {
    heat: textAt(analysis.value, 'HeatNumber'),
    place: textAt(analysis.value, 'SampleLocation'),
  }
  return [
    ...textFact(analysis, { of: 'production date', heat: tested.heat }, 'CastingDate'),
    ...eachAt(analysis, 'Elements').flatMap((one) =>
      results(one, {
        of: chemicalName(textAt(one.value, 'PropertySymbol') ?? textAt(one.value, 'PropertyName') ?? '–'),
        unit: textAt(one.value, 'Unit'),
        formula: textAt(one.value, 'Formula'),
        limits: limitsAt(one),
        ...tested,
      }),
    ),
  ]
}

const property = (one: Place, heat: string | undefined): readonly Fact[] => {
  const specimen = placeAt(one, 'SpecimenSpecification').value
  const where = [
    textAt(specimen, 'CustomLocation') ?? textAt(specimen, 'Location'),
    textAt(specimen, 'Orientation'),
  ]
  return results(one, {
    of: mechanicalName(textAt(one.value, 'PropertySymbol'), textAt(one.value, 'PropertyName')),
    unit: textAt(one.value, 'Unit'),
    condition: textAt(one.value, 'TestConditions'),
    place: where.filter((text) => text !== undefined).join(' ') || undefined,
    heat,
    limits: limitsAt(one),
  })
}

type Measured = Omit<Fact, 'value' | 'operator' | 'pointer'>

const results = (one: Place, fact: Measured): readonly Fact[] => {
  const actual = placeAt(one, 'Actual')
  switch (textAt(actual.value, 'ResultType') ?? 'numeric') {
    case 'numeric':
      return resultFact(actual, fact)
    case 'range':
      return ['Minimum', 'Maximum'].flatMap((end) => resultFact(placeAt(actual, end), fact))
    case 'array':
      return eachAt(actual, 'Data').flatMap((point) => pointOf(point, { fact, series: actual }))
    case 'multiValue':
      return severalValues(actual, fact)
    default:
      return []
  }
}

/** A value at a distance, a position or a time, with limits of its own or those of all points. */
const pointOf = (point: Place, { fact, series }: { fact: Measured; series: Place }): readonly Fact[] => {
  const parameter = [
    textAt(series.value, 'ParameterName'),
    textAt(point.value, 'Parameter'),
    textAt(series.value, 'ParameterUnit'),
  ]
  return resultFact(placeAt(point, 'Value'), {
    ...fact,
    condition: [fact.condition, ...parameter].filter((text) => text !== undefined).join(' ') || undefined,
    limits: limitsAt(point) ?? fact.limits,
  })
}

/** The mean of several with their values, or each of them if no mean is printed. */
const severalValues = (actual: Place, fact: Measured): readonly Fact[] => {
  const values = eachAt(actual, 'Values')
  const read = values.flatMap((value) => resultAt(value) ?? [])
  const isExact = read.length === values.length && read.every(({ operator }) => (operator ?? '=') === '=')
  const means = ['Average', 'Mean'].flatMap((name) =>
    resultFact(placeAt(actual, 'Statistics', name), {
      ...fact,
      series: isExact && read.length > 0 ? read.map(({ value }) => value) : undefined,
    }),
  )
  if (means.length > 0) return means
  // Standards may let one specimen be below the limit of the mean, so that it is no limit of the single values.
  return values.flatMap((value) => resultFact(value, { ...fact, limits: {} }))
}
