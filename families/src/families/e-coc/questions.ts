import { en10204, hasText } from '../../certificate/en10204.ts'
import { listAt, textAt } from '../../certificate/shown.ts'
import type { Question } from '../../family.ts'

export const questions: readonly Question[] = [
  {
    pointer: '/Declaration/Signature/SignerName',
    reason: en10204.inspector,
    isAnswered: (json) => hasText(json, 'Declaration', 'Signature', 'SignerName'),
  },
  {
    pointer: '/Declaration/CocConfirmationText',
    reason: en10204.declaration,
    isAnswered: (json) => hasText(json, 'Declaration', 'CocConfirmationText'),
  },
  {
    pointer: '/EcocData/Data/BusinessRef/StandardReferences',
    reason: en10204.order,
    isAnswered: (json) =>
      listAt(json, 'EcocData', 'Data', 'BusinessRef', 'StandardReferences').some(
        (one) => textAt(one, 'Name') === 'OrderNo' && textAt(one, 'Value') !== undefined,
      ),
  },
  {
    pointer: '/EcocData/Data/ObjectOfDeclaration',
    reason: en10204.heat,
    isAnswered: (json) =>
      listAt(json, 'EcocData', 'Data', 'ObjectOfDeclaration').some((object) =>
        listAt(object, 'ObjectProperties').some((property) =>
          ['CastNo', 'BatchNo'].includes(textAt(property, 'Name') ?? ''),
        ),
      ),
  },
]
