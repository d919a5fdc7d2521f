import type { JsonValue } from '@millseal/proof'
import { textAt } from '../../certificate/shown.ts'
import type { Fact } from '../../facts/fact.ts'
import { eachAt, type Place, placeAt, resultFact, textFact } from '../../facts/places.ts'

export const facts = (json: JsonValue): readonly Fact[] => {
  const passport = placeAt({ value: json, pointer: '' }, 'DigitalMaterialPassport')
  return [
    ...textFact(passport, { of: 'issue date' }, 'Date'),
    ...textFact(passport, { of: 'declaration' }, 'DueDiligenceStatement'),
    ...['Lots', 'Batches'].flatMap((name) => textFact(passport, { of: 'identifier' }, 'Delivery', name)),
    ...eachAt(passport, 'Products').flatMap((product) => [
      ...amounts(product, textAt(product.value, 'ProductType')),
      ...['ListOfSpecies', 'SpeciesList'].flatMap((list) =>
        eachAt(product, list).flatMap((one) => amounts(one, textAt(one.value, 'CommonName'))),
      ),
    ]),
  ]
}

const kinds: Readonly<Record<string, string>> = { NetWeight: 'mass', Volume: 'volume' }

const amounts = (place: Place, of: string | undefined): readonly Fact[] =>
  Object.entries(kinds).flatMap(([name, kind]) => {
    const measured = placeAt(place, 'Measurements', name)
    return resultFact(measured, { of: kind, unit: textAt(measured.value, 'Unit'), place: of })
  })
