import { type Static, Type } from 'typebox'
import { certificateStates, hashAlgorithms, hashEncodings, schemaOrigins } from '../vocabulary.ts'
import { Id, input, JsonObject, ModeValue, oneOf, output, stored, Timestamp } from './common.ts'
import { Correction } from './corrections.ts'

const Algorithm = oneOf(hashAlgorithms, { default: 'sha256' })
const Encoding = oneOf(hashEncodings, { default: 'hex' })

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

export const HashObject = input('HashObjectDto', {
  algorithm: Type.Optional(Algorithm),
  encoding: Type.Optional(Encoding),
  source: JsonObject,
})
export type HashObject = Static<typeof HashObject>

export const HashFileFields = input('HashFileDto', {
  algorithm: Type.Optional(Algorithm),
  encoding: Type.Optional(Encoding),
  contentType: Type.Optional(
    oneOf(['json', 'csv'], {
      default: 'json',
      description: 'json: hash the canonical form; csv: hash the bytes',
    }),
  ),
})
export type HashFileFields = Static<typeof HashFileFields>

export const HashResponse = output('HashResponseDto', {
  algorithm: Algorithm,
  encoding: Encoding,
  value: Type.String(),
})
export type HashResponse = Static<typeof HashResponse>

export const CertificateFinding = output('CertificateFindingDto', {
  pointer: Type.String({ description: 'JSON pointer into the certificate' }),
  reason: Type.String(),
  label: Type.Optional(Type.String({ description: 'The label of the field in the PDF' })),
})

export const CheckedBy = output(
  'CheckedByDto',
  {
    schema: Type.String({ description: 'The $id of the schema' }),
    origin: oneOf(schemaOrigins, {
      description:
        'own: the schema that comes with the service for this family and version; pack: exactly the one that the operator imported',
    }),
  },
  { description: 'The schema that the certificate was checked with' },
)
export type CheckedBy = Static<typeof CheckedBy>

export const ValidationReport = output('ValidationReportDto', {
  isValid: Type.Boolean(),
  warnings: Type.Array(CertificateFinding, {
    description:
      'Implausible values, and a seller that is not your company. They do not make the certificate invalid',
  }),
  checkedBy: CheckedBy,
  certificate: CertificateJson,
})
export type ValidationReport = Static<typeof ValidationReport>

type NotarizationFields = { timestamp: string; hash: HashResponse; checkedBy: CheckedBy }

/** `isNewInstance` decides which id the answer has. */
export type Notarization =
  | (NotarizationFields & { isNewInstance: true; jobId: string; transactionId?: undefined })
  | (NotarizationFields & { isNewInstance: false; transactionId: string; jobId?: undefined })

export const Notarization = Type.Unsafe<Notarization>(
  output('NotarizationDto', {
    isNewInstance: Type.Boolean({ description: 'false if the certificate is already on the ledger' }),
    timestamp: Timestamp,
    hash: HashResponse,
    checkedBy: CheckedBy,
    transactionId: Type.Optional(
      Type.String({ description: 'The transaction of the certificate, if isNewInstance is false' }),
    ),
    jobId: Type.Optional(
      Type.String({
        description: 'The id of the certificate, for following its notarization, if isNewInstance is true',
      }),
    ),
  }),
)

export const CertificateSummary = output('CertificateSummaryDto', {
  identifier: Type.Optional(Type.String()),
  sellerName: Type.Optional(Type.String()),
  buyerName: Type.Optional(Type.String()),
  productDescription: Type.Optional(Type.String()),
  orderNumber: Type.Optional(Type.String()),
  orderPosition: Type.Optional(Type.String()),
  deliveryNumber: Type.Optional(Type.String()),
  deliveryPosition: Type.Optional(Type.String()),
})
export type CertificateSummary = Static<typeof CertificateSummary>

export const Certificate = output('CertificateDto', {
  ...stored,
  mode: ModeValue,
  state: oneOf(certificateStates),
  refSchemaUrl: Type.String(),
  hash: HashResponse,
  pdfHash: Type.Optional(HashResponse),
  transactionId: Type.Optional(Type.String()),
  timestamp: Type.Optional(Timestamp),
  identity: Id,
  owner: Id,
  summary: Type.Optional(CertificateSummary),
  error: Type.Optional(Type.String({ description: 'The reason why the notarization failed' })),
  withdrawn: Type.Optional(Type.Boolean({ description: 'true once the certificate is withdrawn' })),
  replacedBy: Type.Optional(
    Type.String({ format: 'uuid', description: 'The certificate that replaces this one' }),
  ),
  corrections: Type.Optional(
    Type.Array(Correction, { description: 'Withdrawal and replacements that were made here, oldest first' }),
  ),
  retainedUntil: Type.Optional(Timestamp),
})
export type Certificate = Static<typeof Certificate>

const FileReference = {
  hash: Type.String({ description: 'SHA-256 of the canonical JSON, hex' }),
  pdfHash: Type.Optional(Type.String({ description: 'SHA-256 of the PDF, hex' })),
  transactionId: Type.String(),
}

/** The payload of the events about corrections. */
export const CorrectedCertificate = output('CorrectedCertificateDto', {
  ...FileReference,
  mode: ModeValue,
  correction: Correction,
  replacement: Type.Optional(
    output('ReplacementDto', FileReference, { description: 'The certificate that replaces it' }),
  ),
  summary: CertificateSummary,
  verifyUrl: Type.String({
    description: 'The page that verifies the certificate, or the one that replaces it',
  }),
})
export type CorrectedCertificate = Static<typeof CorrectedCertificate>

/** The payload of the event about a revoked key. */
export const RevokedCertificates = output('RevokedCertificatesDto', {
  did: Type.String({ description: 'The revoked key' }),
  mode: ModeValue,
  correction: Correction,
  certificates: Type.Array(
    output('RevokedCertificateDto', {
      ...FileReference,
      summary: CertificateSummary,
      verifyUrl: Type.String({ description: 'The page that verifies the certificate' }),
    }),
    { description: 'At most 100; if there are more, other events have them' },
  ),
})
export type RevokedCertificates = Static<typeof RevokedCertificates>
