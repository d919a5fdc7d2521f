import { en10204, hasText } from '../../certificate/en10204.ts'
import { listAt, textAt } from '../../certificate/shown.ts'
import type { Question } from '../../family.ts'

export const questions: readonly Question[] = [
  {
    pointer: '/Certificate/Validation/Z03',
    reason: en10204.inspector,
    isAnswered: (json) =>
      hasText('Certificate', 'Validation', 'Z03')(json) ||
      hasText('Certificate', 'Validation', 'Z03', 'Name')(json),
  },
  {
    pointer: '/Certificate/Validation/Z01',
    reason: en10204.declaration,
    isAnswered: hasText('Certificate', 'Validation', 'Z01'),
  },
  {
    pointer: '/Certificate/CommercialTransaction/A07',
    reason: en10204.order,
    isAnswered: hasText('Certificate', 'CommercialTransaction', 'A07'),
  },
  {
    pointer: '/Certificate/Inspection',
    reason: en10204.heat,
    isAnswered: (json) =>
      hasText('Certificate', 'ProductDescription', 'B07')(json) ||
      listAt(json, 'Certificate', 'Inspection').some((inspection) => textAt(inspection, 'C00') !== undefined),
  },
]
