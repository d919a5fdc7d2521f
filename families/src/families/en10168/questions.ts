import { en10204, hasText } from '../../certificate/en10204.ts'
import { listAt, textAt } from '../../certificate/shown.ts'
import type { Question } from '../../family.ts'

export const questions: readonly Question[] = [
  {
    pointer: '/Certificate/Validation/Z03',
    reason: en10204.inspector,
    isAnswered: (json) =>
      hasText(json, 'Certificate', 'Validation', 'Z03') ||
      hasText(json, 'Certificate', 'Validation', 'Z03', 'Name'),
  },
  {
    pointer: '/Certificate/Validation/Z01',
    reason: en10204.declaration,
    isAnswered: (json) => hasText(json, 'Certificate', 'Validation', 'Z01'),
  },
  {
    pointer: '/Certificate/CommercialTransaction/A07',
    reason: en10204.order,
    isAnswered: (json) => hasText(json, 'Certificate', 'CommercialTransaction', 'A07'),
  },
  {
    pointer: '/Certificate/Inspection',
    reason: en10204.heat,
    isAnswered: (json) =>
      hasText(json, 'Certificate', 'ProductDescription', 'B07') ||
      listAt(json, 'Certificate', 'Inspection').some((inspection) => textAt(inspection, 'C00') !== undefined),
  },
]
