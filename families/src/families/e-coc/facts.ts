import type { JsonValue } from '@millseal/proof'
import { textAt, textsAt } from '../../certificate/shown.ts'
import type { Fact } from '../../facts/fact.ts'
import { chemicalName, mechanicalName } from '../../facts/names.ts'
import { eachAt, limitsAt, type Place, placeAt, resultFact, textFact } from '../../facts/places.ts'

export const facts = (json: JsonValue): readonly Fact[] => {
  const root = { value: json, pointer: '' }
  const data = placeAt(root, 'EcocData', 'Data')
  const objects = eachAt(data, 'ObjectOfDeclaration')
  const heats = new Map(
    objects.map((one) => [textAt(one.value, 'ObjectId') ?? '', heatIn(one)?.value] as const),
  )
  const results = placeAt(root, 'EcocData', 'Results')
  return [
    ...textFact(data, { of: 'standard' }, 'EcocType').filter(({ value }) => /\d\.\d/.test(value)),
    ...['OrderNo', 'OrderPosition'].flatMap((name) =>
      eachAt(data, 'BusinessRef', 'StandardReferences')
        .filter(({ value }) => textAt(value, 'Name') === name)
        .flatMap((one) => textFact(one, { of: name === 'OrderNo' ? 'order' : 'order item' }, 'Value')),
    ),
    ...textFact(root, { of: 'issue date' }, 'Declaration', 'DateOfIssue'),
    ...textFact(root, { of: 'declaration' }, 'Declaration', 'CocConfirmationText'),
    ...objects.flatMap(objectFacts),
    ...eachAt(results, 'MaterialCertification').flatMap((test) => testFacts(test, heats)),
    ...eachAt(results, 'ChemicalAnalysis').flatMap(analysed),
  ]
}

const propertyOf = (object: Place, name: string): Place | undefined => {
  const found = eachAt(object, 'ObjectProperties').find(({ value }) => textAt(value, 'Name') === name)
  return found === undefined ? undefined : eachAt(found, 'Value')[0]
}

const heatIn = (object: Place): { value: string; pointer: string } | undefined => {
  const found = propertyOf(object, 'CastNo')
  const value = textAt(found?.value)
  return found === undefined || value === undefined ? undefined : { value, pointer: found.pointer }
}

const objectFacts = (object: Place): readonly Fact[] => {
  const heat = heatIn(object)
  const about = { place: textAt(object.value, 'ObjectId') }
  const [unitMass, tested] = [propertyOf(object, 'UnitMass'), propertyOf(object, 'TestDate')]
  return [
    ...(heat === undefined ? [] : [{ of: 'heat', ...heat }]),
    ...(unitMass === undefined ? [] : resultFact(unitMass, { of: 'unit mass', unit: 'kg', ...about })),
    ...(tested === undefined ? [] : textFact(tested, { of: 'test date', ...about })),
    ...eachAt(object, 'Quantities').flatMap((one) => {
      const unit = textAt(one.value, 'Unit')
      const of = /^(?:pcs|pieces?|stk|st)\.?$/i.test(unit ?? '') ? 'pieces' : 'mass'
      return resultFact(placeAt(one, 'Amount'), { of, unit: of === 'pieces' ? undefined : unit, ...about })
    }),
    ...eachAt(object, 'Dimensions').flatMap((one) =>
      resultFact(placeAt(one, 'DimValue'), {
        of: textAt(one.value, 'Direction')?.toLowerCase() ?? '–',
        unit: textAt(one.value, 'DimUnit'),
        ...about,
      }),
    ),
  ]
}

/** The values of a test of several objects belong to all of their heats, and name none. */
const testFacts = (test: Place, heats: ReadonlyMap<string, string | undefined>): readonly Fact[] => {
  const isChemistry = /^chemical/i.test(textAt(test.value, 'NameOfTest') ?? '')
  const objects = textsAt(test.value, 'RefObjectIDs')
  const tested = [...new Set(objects.flatMap((object) => heats.get(object) ?? []))]
  const values = eachAt(test, 'TestValues').flatMap((one) => {
    const name = textAt(one.value, 'ValueName') ?? '–'
    const unit = textAt(one.value, 'Unit')
    return ranged(one, {
      of: isChemistry ? chemicalName(name) : mechanicalName(name),
      unit: unit === 'percent' ? '%' : unit,
      heat: tested.length === 1 ? tested[0] : undefined,
      place: objects.join(', ') || undefined,
      limits: limitsAt(one, { min: 'SpecMin', max: 'SpecMax' }),
    })
  })
  return [...tested.map((value) => ({ of: 'tested heat', value, pointer: test.pointer })), ...values]
}

const analysed = (analysis: Place): readonly Fact[] =>
  eachAt(analysis, 'Values').flatMap((one) =>
    ranged(one, {
      of: chemicalName(textAt(one.value, 'Symbol') ?? '–'),
      heat: textAt(analysis.value, 'Heat'),
      place: textAt(analysis.value, 'Sample'),
      limits: limitsAt(one),
    }),
  )

/** A range has two facts: both ends must be within the limits. */
const ranged = (one: Place, fact: Omit<Fact, 'value' | 'operator' | 'pointer'>): readonly Fact[] => {
  const [from] = resultFact(placeAt(one, 'ActualFrom'), fact)
  const [to] = resultFact(placeAt(one, 'ActualTo'), fact)
  return [from, from?.value === to?.value ? undefined : to].filter((end) => end !== undefined)
}
