import type { JsonValue } from '@millseal/proof'
import { familyOf, type KnownFamily } from '../certificate/family-of.ts'
import type { Certificate } from '../certificate/read-certificate.ts'
import { at, listAt, textAt, textsAt } from '../certificate/shown.ts'
import type { Finding } from '../validate/finding.ts'
import { findingsOutOfLimits } from './out-of-limits.ts'

type Question = {
  readonly pointer: string
  readonly reason: string
  readonly isAnswered: (json: JsonValue) => boolean
}

const reasons = {
  inspector: 'names nobody who answers for the inspection (EN 10204)',
  declaration: 'makes no declaration that the product conforms to the order (EN 10204)',
  order: 'refers to no order (EN 10204)',
  heat: 'names no heat or batch that the results belong to (EN 10204)',
}

const has =
  (...path: readonly string[]) =>
  (json: JsonValue): boolean =>
    textsAt(json, ...path).length > 0

const questions: Readonly<Record<KnownFamily, readonly Question[]>> = {
  en10168: [
    {
      pointer: '/Certificate/Validation/Z03',
      reason: reasons.inspector,
      isAnswered: (json) =>
        has('Certificate', 'Validation', 'Z03')(json) ||
        has('Certificate', 'Validation', 'Z03', 'Name')(json),
    },
    {
      pointer: '/Certificate/Validation/Z01',
      reason: reasons.declaration,
      isAnswered: has('Certificate', 'Validation', 'Z01'),
    },
    {
      pointer: '/Certificate/CommercialTransaction/A07',
      reason: reasons.order,
      isAnswered: has('Certificate', 'CommercialTransaction', 'A07'),
    },
    {
      pointer: '/Certificate/Inspection',
      reason: reasons.heat,
      isAnswered: (json) =>
        has('Certificate', 'ProductDescription', 'B07')(json) ||
        listAt(json, 'Certificate', 'Inspection').some(
          (inspection) => textAt(inspection, 'C00') !== undefined,
        ),
    },
  ],
  coa: [
    {
      pointer: '/Certificate/Contacts',
      reason: reasons.inspector,
      isAnswered: (json) => listAt(json, 'Certificate', 'Contacts').length > 0,
    },
    {
      pointer: '/Certificate/DeclarationOfConformity/Declaration',
      reason: reasons.declaration,
      isAnswered: has('Certificate', 'DeclarationOfConformity', 'Declaration'),
    },
    {
      pointer: '/Certificate/BusinessTransaction/Order/Id',
      reason: reasons.order,
      isAnswered: has('Certificate', 'BusinessTransaction', 'Order', 'Id'),
    },
    {
      pointer: '/Certificate/Product/FillingBatchId',
      reason: reasons.heat,
      isAnswered: (json) =>
        ['FillingBatchId', 'ProductionBatchId'].some((name) => has('Certificate', 'Product', name)(json)),
    },
  ],
  metals: [
    {
      pointer: '/DigitalMaterialPassport/Validation/Validators',
      reason: reasons.inspector,
      isAnswered: (json) =>
        listAt(json, 'DigitalMaterialPassport', 'Validation', 'Validators').some(
          (validator) => textAt(validator, 'Name') !== undefined,
        ),
    },
    {
      pointer: '/DigitalMaterialPassport/Validation/ValidationStatement/Statement',
      reason: reasons.declaration,
      isAnswered: has('DigitalMaterialPassport', 'Validation', 'ValidationStatement', 'Statement'),
    },
    {
      pointer: '/DigitalMaterialPassport/TransactionData/BusinessTransaction/Order/Id',
      reason: reasons.order,
      isAnswered: has('DigitalMaterialPassport', 'TransactionData', 'BusinessTransaction', 'Order', 'Id'),
    },
    {
      pointer: '/DigitalMaterialPassport/ChemicalAnalysis/HeatNumber',
      reason: reasons.heat,
      isAnswered: (json) =>
        has('DigitalMaterialPassport', 'ChemicalAnalysis', 'HeatNumber')(json) ||
        has('DigitalMaterialPassport', 'Product', 'BatchId')(json),
    },
  ],
  'e-coc': [
    {
      pointer: '/Declaration/Signature/SignerName',
      reason: reasons.inspector,
      isAnswered: has('Declaration', 'Signature', 'SignerName'),
    },
    {
      pointer: '/Declaration/CocConfirmationText',
      reason: reasons.declaration,
      isAnswered: has('Declaration', 'CocConfirmationText'),
    },
    {
      pointer: '/EcocData/Data/BusinessRef/StandardReferences',
      reason: reasons.order,
      isAnswered: (json) =>
        listAt(json, 'EcocData', 'Data', 'BusinessRef', 'StandardReferences').some(
          (one) => textAt(one, 'Name') === 'OrderNo' && textAt(one, 'Value') !== undefined,
        ),
    },
    {
      pointer: '/EcocData/Data/ObjectOfDeclaration',
      reason: reasons.heat,
      isAnswered: (json) =>
        listAt(json, 'EcocData', 'Data', 'ObjectOfDeclaration').some((object) =>
          listAt(object, 'ObjectProperties').some((property) =>
            ['CastNo', 'BatchNo'].includes(textAt(property, 'Name') ?? ''),
          ),
        ),
    },
  ],
}

/** What a quality manager would ask about. Never a reason to refuse: a certificate may be right and still unusual. */
export const plausibility = (certificate: Pick<Certificate, 'json'>): readonly Finding[] => {
  const family = familyOf(certificate)
  if (family === undefined) return []
  const { json } = certificate
  return [
    ...questions[family]
      .filter(({ isAnswered }) => !isAnswered(json))
      .map(({ pointer, reason }) => ({ pointer, reason })),
    ...findingsOutOfLimits(at(json)),
  ]
}
