import { type Static, Type } from 'typebox'
import { schemaOrigins } from '../vocabulary.ts'
import { oneOf, output, ReasonShape } from './common.ts'

/** Any JSON with a RefSchemaUrl, which names the schema that applies. */
export const CertificateJson = Type.Unsafe<Record<string, unknown>>({
  title: 'CertificateJsonDto',
  description: 'A JSON certificate. RefSchemaUrl names its schema.',
  type: 'object',
  required: ['RefSchemaUrl'],
  properties: { RefSchemaUrl: { type: 'string', format: 'uri' } },
  additionalProperties: true,
})

const Versions = Type.Array(Type.String({ examples: ['0.4.1'] }))

export const CertificateSchemas = Type.Unsafe<Record<string, string[]>>({
  title: 'CertificateSchemasDto',
  description:
    'The supported versions by family, including those that the operator imported. `names` has every accepted RefSchemaUrl in its usual form; http, a leading www. and the paths of the published repositories are accepted too.',
  type: 'object',
  required: ['en10168-schemas', 'e-coc-schemas', 'coa-schemas'],
  properties: {
    'en10168-schemas': Versions,
    'e-coc-schemas': Versions,
    'coa-schemas': Versions,
    'metals-schemas': Versions,
    'forestry-schemas': Versions,
    'forestry-source-schemas': Versions,
    'forestry-output-schemas': Versions,
    'cdn-schemas': Versions,
    names: Type.Array(Type.String({ format: 'uri' })),
  },
  additionalProperties: Versions,
})

export const CertificateFinding = output('CertificateFindingDto', {
  pointer: Type.String({ description: 'JSON pointer into the certificate' }),
  reason: Type.String(),
  label: Type.Optional(Type.String({ description: 'The label of the field in the PDF' })),
  because: Type.Optional(ReasonShape),
})

export const selfCheckWeights = ['outside_own_limits', 'does_not_add_up'] as const

export const SelfCheckFinding = output(
  'SelfCheckFindingDto',
  {
    weight: oneOf(selfCheckWeights, {
      description:
        'outside_own_limits: a value is outside of what is printed beside it; does_not_add_up: two statements do not fit together',
    }),
    heat: Type.Optional(Type.String()),
    property: Type.String({ description: 'What was measured or stated, such as P, ReH or CEV' }),
    printed: Type.String({ description: 'What the certificate says' }),
    against: Type.String({ description: 'What it does not fit to' }),
    pointer: Type.String({ description: 'JSON pointer into the certificate' }),
    reason: Type.String(),
    because: ReasonShape,
  },
  {
    description:
      'What a certificate says about itself that cannot be right. It stays valid: the issuer may know why',
  },
)
export type SelfCheckFinding = Static<typeof SelfCheckFinding>

export const CheckedBy = output(
  'CheckedByDto',
  {
    schema: Type.String({ description: 'The $id of the schema' }),
    origin: oneOf(schemaOrigins, {
      description:
        'own: the schema that comes with the service for this family and version; pack: exactly the one that the operator imported',
    }),
    revision: Type.String({
      description:
        'The SHA-256 of the schema (RFC 8785, hex): schemas are changed in place, also by those who publish them',
    }),
  },
  { description: 'The schema that the certificate was checked with' },
)
export type CheckedBy = Static<typeof CheckedBy>

export const ValidationReport = output('ValidationReportDto', {
  isValid: Type.Boolean(),
  warnings: Type.Array(CertificateFinding, {
    description:
      'Missing statements, all findings, and a seller that is not your company. They do not make the certificate invalid',
  }),
  findings: Type.Array(SelfCheckFinding, {
    description: 'What the certificate says that does not fit together',
  }),
  addresses: Type.Array(Type.String(), {
    description:
      'The e-mail addresses of its receivers, as the certificate names them. Without one, only your company gets it by mail',
  }),
  checkedBy: CheckedBy,
  certificate: CertificateJson,
})
export type ValidationReport = Static<typeof ValidationReport>
