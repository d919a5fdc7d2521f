import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { checkResults, roundings, uncheckedReasons } from '../vocabulary.ts'
import { SelfCheckFinding } from './certificate-checks.ts'
import { Id, idOf, input, oneOf, output, ReasonShape, Timestamp } from './common.ts'
import { CheckedOrder } from './orders.ts'
import { Requirement } from './requirements.ts'

/** With any members, so that its reader can refuse those that it does not know instead of dropping them. */
export const RequirementJson = Type.Unsafe<Record<string, unknown>>({
  title: 'RequirementJsonDto',
  description:
    'A requirement in the format `requirement-1`: `GET /schemas/requirement-1.schema.json`. Unknown members are refused.',
  type: 'object',
  required: ['name', 'rules'],
  properties: {
    name: { type: 'string', ...limits.requirement.text },
    rules: {
      type: 'array',
      minItems: 1,
      maxItems: limits.requirement.rules,
      items: { type: 'object', additionalProperties: true },
    },
  },
  additionalProperties: true,
})

const kept = {
  id: Id,
  name: Type.String(),
  hash: Type.String({ description: 'SHA-256 of the canonical JSON (RFC 8785), hex' }),
  inUse: Type.Boolean({ description: 'The newest version of its name; older ones are found by hash only' }),
  createdAt: Timestamp,
}

export const ListedRequirement = output('ListedRequirementDto', {
  ...kept,
  rules: Type.Integer({ description: 'The number of its rules' }),
})
export type ListedRequirement = Static<typeof ListedRequirement>

export const KeptRequirement = output('KeptRequirementDto', { ...kept, requirement: RequirementJson })
export type KeptRequirement = Static<typeof KeptRequirement>

export const RequirementQuery = Type.Object({
  hash: Type.Optional(
    Type.String({ ...limits.hash, pattern: '^[0-9a-f]{64}$', description: 'One version, also an older one' }),
  ),
})

export const CheckCertificate = input('CheckCertificateDto', {
  certificate: Type.Optional(
    Type.String({
      ...limits.checkedCertificate,
      description: 'A certificate: its JSON as text, so that its digits stay as they are written',
    }),
  ),
  id: Type.Optional(idOf('Instead: a certificate that the company issued or received')),
  requirement: Type.Optional(RequirementJson),
  against: Type.Optional(
    Type.String({
      ...limits.requirement.text,
      description:
        'Instead of `requirement`: the name or the hash of a requirement of the company. Without both, the order line says which applies, then the rules of the company',
    }),
  ),
  order: Type.Optional(
    Type.String({
      ...limits.requirement.text,
      description: 'The number of an order of the company: its line is compared as well',
    }),
  ),
  item: Type.Optional(
    Type.String({
      ...limits.requirement.text,
      description: 'Its item; without it, the one that the certificate names',
    }),
  ),
})
export type CheckCertificate = Static<typeof CheckCertificate>

export const CheckLine = output('CheckLineDto', {
  requirement: Type.String({
    description:
      'The name of the requirement, which may be an included one; or the order and item of an order line',
  }),
  rule: Type.String({ description: 'JSON pointer into it' }),
  of: Type.String(),
  result: oneOf(checkResults),
  heat: Type.Optional(Type.String()),
  printed: Type.Optional(Type.String({ description: 'What the certificate says' })),
  compared: Type.Optional(
    Type.String({ description: 'What was compared with the limit: converted, calculated and rounded' }),
  ),
  limit: Type.Optional(Type.String()),
  rounding: Type.Optional(oneOf(roundings)),
  pointer: Type.Optional(Type.String({ description: 'JSON pointer into the certificate' })),
  reason: Type.Optional(Type.String()),
  because: Type.Optional(ReasonShape),
})
export type CheckLine = Static<typeof CheckLine>

export const CertificateCheck = output('CertificateCheckDto', {
  verdict: oneOf(checkResults, {
    description:
      'The worst line. fail: a value misses a limit; unknown: what is printed does not say; missing: something required is not printed; pass: everything is met',
  }),
  certificate: Type.String({ description: 'SHA-256 of its canonical JSON, hex' }),
  requirement: Type.Optional(
    output(
      'CheckedRequirementDto',
      {
        name: Type.String(),
        hash: Type.String({
          description: 'SHA-256 of the canonical JSON of the requirement and all that it includes, hex',
        }),
      },
      { description: 'Absent only if none was sent and none applies: the verdict is never pass then' },
    ),
  ),
  unchecked: Type.Optional(oneOf(uncheckedReasons, { description: 'Why there is no `requirement`' })),
  order: Type.Optional(CheckedOrder),
  lines: Type.Array(CheckLine),
  findings: Type.Array(SelfCheckFinding, {
    description: 'What the certificate says about itself that does not fit together; no part of the verdict',
  }),
})
export type CertificateCheck = Static<typeof CertificateCheck>

const schemaId = 'https://millseal.org/schemas/requirement-1.schema.json'

/** The format as a JSON Schema, for editors and for programs that write requirements. */
export const requirementSchema: Readonly<Record<string, unknown>> = {
  ...(JSON.parse(JSON.stringify(Requirement)) as object),
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: schemaId,
  title: 'What a certificate must meet',
}
