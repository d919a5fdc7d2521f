import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { CertificateJson, CertificateSchemas, ValidationReport } from '../shapes/certificate-checks.ts'
import { CertificateFamily } from '../shapes/certificate-families.ts'
import { CertificateForm } from '../shapes/certificate-forms.ts'
import { HashFileFields, HashObject, HashResponse } from '../shapes/certificates.ts'
import { oneOf } from '../shapes/common.ts'

const certificates = { service: 'certificate-service', variant: 'both' } as const
const certificate = { kind: 'document', accepts: ['application/json'], schema: CertificateJson } as const

export const listCertificateSchemas = operation({
  ...certificates,
  id: 'certificates.list_schemas',
  method: 'GET',
  path: '/certificates/schemas',
  summary: 'List the supported certificate schemas',
  description: 'The families, versions and names that `RefSchemaUrl` can have.',
  access: 'public',
  answer: { kind: 'json', status: 200, schema: CertificateSchemas },
  cors: 'any',
})

export const listCertificateFamilies = operation({
  ...certificates,
  variant: 'current',
  id: 'certificates.list_families',
  method: 'GET',
  path: '/certificates/families',
  summary: 'List the families of certificates',
  description:
    'What people call the families and their types of schemas, in the order in which they choose. `GET /certificates/schemas` lists versions, and the types that the operator imported.',
  access: 'public',
  answer: { kind: 'json', status: 200, schema: Type.Array(CertificateFamily) },
  cors: 'any',
})

export const readCertificateForm = operation({
  ...certificates,
  variant: 'current',
  id: 'certificates.read_form',
  method: 'GET',
  path: '/certificates/schemas/{type}/{version}',
  summary: 'Read what a form for certificates of a schema is drawn from',
  description:
    'The schema itself, the labels and the order that the PDF uses, and an empty certificate. `GET /certificates/schemas` lists types and versions.',
  access: 'public',
  params: Type.Object({
    type: Type.String({ pattern: '^[a-z0-9-]+$', ...limits.schemaType, examples: ['en10168-schemas'] }),
    version: Type.String({
      pattern: String.raw`^\d{1,4}\.\d{1,4}\.\d{1,4}(-\d{1,4})?$`,
      ...limits.schemaVersion,
      examples: ['0.5.0'],
    }),
  }),
  query: Type.Object({
    languages: Type.Optional(
      Type.String({
        pattern: '^[a-z]{2}(,[a-z]{2})*$',
        ...limits.labelLanguages,
        default: 'en',
        examples: ['en,de'],
        description: 'The languages of the labels, with commas between them',
      }),
    ),
  }),
  answer: { kind: 'json', status: 200, schema: CertificateForm },
  errors: ['schema_unknown'],
  cors: 'any',
})

export const hashCertificate = operation({
  ...certificates,
  id: 'certificates.hash',
  method: 'POST',
  path: '/certificates/hash',
  summary: 'Hash a JSON object',
  description:
    'Hashes the canonical form (RFC 8785). With the defaults, this is the hash that a notarization records.',
  access: 'bearer',
  body: { kind: 'json', schema: HashObject },
  answer: { kind: 'json', status: 201, schema: HashResponse },
  idempotency: 'repeatable',
})

export const hashFile = operation({
  ...certificates,
  id: 'certificates.hash_file',
  method: 'POST',
  path: '/certificates/hash-file',
  summary: 'Hash a file',
  description: 'Hashes the canonical form of JSON, or the bytes of CSV.',
  access: 'bearer',
  body: { kind: 'document', accepts: ['application/json', 'text/csv'], fields: HashFileFields },
  answer: { kind: 'json', status: 201, schema: HashResponse },
  idempotency: 'repeatable',
})

const validation = {
  ...certificates,
  method: 'POST',
  description:
    'Returns the certificate; with `report`, also what the certificate says that does not fit together (`findings`), warnings about these, about missing statements and, if the call names a company, about another seller, and the schema that it was checked with, which the header `checked-by` names in any case. If the certificate is not valid, `details` lists the findings.',
  access: 'bearer',
  company: 'optional',
  memberRole: 'clerk',
  scope: [{ resource: 'certificates', action: 'validate_one' }],
  query: Type.Object({ report: Type.Optional(Type.Boolean()) }),
  body: certificate,
  answer: { kind: 'json', status: 200, schema: Type.Union([ValidationReport, CertificateJson]) },
  errors: ['certificate_invalid', 'schema_unknown', 'file_too_costly'],
  idempotency: 'repeatable',
} as const

export const validateCertificate = operation({
  ...validation,
  id: 'certificates.validate',
  path: '/certificates/validate',
  summary: 'Validate a certificate',
})

export const validateCertificateFile = operation({
  ...validation,
  id: 'certificates.validate_file',
  path: '/certificates/validate-file',
  summary: 'Validate a certificate file',
})

const rendering = {
  ...certificates,
  method: 'POST',
  description:
    'Uses the languages that the certificate names. Stores nothing. The header `checked-by` names the schema that it was checked with. With `draft`, it also renders a certificate that does not conform yet, as HTML: the page is marked as a draft, has a dash in place of each required value that is missing, and nothing to verify it by.',
  access: 'bearer',
  scope: [
    { resource: 'certificates', action: 'render_one' },
    { resource: 'certificates', action: 'read_one' },
  ],
  query: Type.Object({
    type: oneOf(['html', 'pdf']),
    draft: Type.Optional(
      Type.Boolean({ description: 'Also render what does not conform yet; as HTML only' }),
    ),
  }),
  body: certificate,
  answer: { kind: 'content', status: 200, types: ['application/pdf', 'text/html'] },
  errors: ['certificate_invalid', 'schema_unknown', 'file_too_costly'],
  idempotency: 'repeatable',
} as const

export const renderCertificate = operation({
  ...rendering,
  id: 'certificates.render',
  path: '/certificates/render',
  summary: 'Render a certificate as HTML or PDF',
})

export const renderCertificateFile = operation({
  ...rendering,
  id: 'certificates.render_file',
  path: '/certificates/render-file',
  summary: 'Render a certificate file as HTML or PDF',
})
