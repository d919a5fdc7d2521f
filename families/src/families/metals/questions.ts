import { en10204, hasText } from '../../certificate/en10204.ts'
import { listAt, textAt } from '../../certificate/shown.ts'
import type { Question } from '../../family.ts'

export const questions: readonly Question[] = [
  {
    pointer: '/DigitalMaterialPassport/Validation/Validators',
    reason: en10204.inspector,
    isAnswered: (json) =>
      listAt(json, 'DigitalMaterialPassport', 'Validation', 'Validators').some(
        (validator) => textAt(validator, 'Name') !== undefined,
      ),
  },
  {
    pointer: '/DigitalMaterialPassport/Validation/ValidationStatement/Statement',
    reason: en10204.declaration,
    isAnswered: (json) =>
      hasText(json, 'DigitalMaterialPassport', 'Validation', 'ValidationStatement', 'Statement'),
  },
  {
    pointer: '/DigitalMaterialPassport/TransactionData/BusinessTransaction/Order/Id',
    reason: en10204.order,
    isAnswered: (json) =>
      hasText(json, 'DigitalMaterialPassport', 'TransactionData', 'BusinessTransaction', 'Order', 'Id'),
  },
  {
    pointer: '/DigitalMaterialPassport/ChemicalAnalysis/HeatNumber',
    reason: en10204.heat,
    isAnswered: (json) =>
      hasText(json, 'DigitalMaterialPassport', 'ChemicalAnalysis', 'HeatNumber') ||
      hasText(json, 'DigitalMaterialPassport', 'Product', 'BatchId'),
  },
]
