import type { JsonValue } from '@millseal/proof'
import { textAt } from '../../certificate/shown.ts'
import type { Fact } from '../../facts/fact.ts'
import { mechanicalName } from '../../facts/names.ts'
import { eachAt, limitsAt, placeAt, resultFact, textFact, transactionFacts } from '../../facts/places.ts'

export const facts = (json: JsonValue): readonly Fact[] => {
  const certificate = placeAt({ value: json, pointer: '' }, 'Certificate')
  const product = placeAt(certificate, 'Product')
  const heat = textAt(certificate.value, 'Analysis', 'LotId')
  return [
    ...textFact(certificate, { of: 'standard' }, 'Standard', 'Norm'),
    ...transactionFacts(placeAt(certificate, 'BusinessTransaction')),
    ...['Id', 'Name'].flatMap((name) => textFact(product, { of: 'grade' }, name)),
    ...textFact(certificate, { of: 'issue date' }, 'Date'),
    ...textFact(certificate, { of: 'declaration' }, 'DeclarationOfConformity', 'Declaration'),
    ...['FillingBatchId', 'ProductionBatchId'].flatMap((name) =>
      textFact(product, { of: 'identifier' }, name),
    ),
    ...textFact(product, { of: 'production date' }, 'ProductionDate'),
    ...['Inspections', 'Analysis'].flatMap((list) =>
      eachAt(certificate, ...(list === 'Analysis' ? [list, 'Inspections'] : [list])).flatMap((one) =>
        resultFact(placeAt(one, 'Value'), {
          of: mechanicalName(textAt(one.value, 'Property')),
          unit: textAt(one.value, 'Unit'),
          condition: textAt(one.value, 'TestConditions'),
          heat,
          limits: limitsAt(one),
        }),
      ),
    ),
  ]
}
