import { en10204, hasText } from '../../certificate/en10204.ts'
import { listAt } from '../../certificate/shown.ts'
import type { Question } from '../../family.ts'

export const questions: readonly Question[] = [
  {
    pointer: '/Certificate/Contacts',
    reason: en10204.inspector,
    isAnswered: (json) => listAt(json, 'Certificate', 'Contacts').length > 0,
  },
  {
    pointer: '/Certificate/DeclarationOfConformity/Declaration',
    reason: en10204.declaration,
    isAnswered: (json) => hasText(json, 'Certificate', 'DeclarationOfConformity', 'Declaration'),
  },
  {
    pointer: '/Certificate/BusinessTransaction/Order/Id',
    reason: en10204.order,
    isAnswered: (json) =>
      ['Id', 'Number'].some((name) => hasText(json, 'Certificate', 'BusinessTransaction', 'Order', name)),
  },
  {
    pointer: '/Certificate/Product/FillingBatchId',
    reason: en10204.heat,
    isAnswered: (json) =>
      ['FillingBatchId', 'ProductionBatchId', 'ChargeNumber'].some((name) =>
        hasText(json, 'Certificate', 'Product', name),
      ),
  },
]
