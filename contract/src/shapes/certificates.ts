import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { certificateStates, hashAlgorithms, hashEncodings } from '../vocabulary.ts'
import { Id, input, JsonObject, ModeValue, oneOf, output, stored, Timestamp } from './common.ts'

const Algorithm = oneOf(hashAlgorithms, { default: 'sha256' })
const Encoding = oneOf(hashEncodings, { default: 'hex' })

/** A certificate is whatever its RefSchemaUrl says: the contract knows no more of it. */
export const CertificateJson = Type.Unsafe<Record<string, unknown>>({
  title: 'CertificateJsonDto',
  description: 'A JSON certificate. RefSchemaUrl selects the schema it conforms to.',
  type: 'object',
  required: ['RefSchemaUrl'],
  properties: { RefSchemaUrl: { type: 'string', format: 'uri' } },
  additionalProperties: true,
})

const Versions = Type.Array(Type.String({ examples: ['0.4.1'] }))

export const CertificateSchemas = Type.Unsafe<Record<string, string[]>>({
  title: 'CertificateSchemasDto',
  description:
    'The versions supported, by family. Families that the operator imported are listed beside ours.',
  type: 'object',
  required: ['en10168-schemas', 'e-coc-schemas', 'coa-schemas'],
  properties: {
    'en10168-schemas': Versions,
    'e-coc-schemas': Versions,
    'coa-schemas': Versions,
    'metals-schemas': Versions,
    'cdn-schemas': Versions,
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
      description: 'json: the canonical form is hashed; csv: the bytes',
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
  pointer: Type.String({ description: 'JSON pointer to the place in the certificate' }),
  reason: Type.String(),
  label: Type.Optional(Type.String({ description: 'What the place is called on paper' })),
})

export const ValidationReport = output('ValidationReportDto', {
  isValid: Type.Boolean(),
  warnings: Type.Array(CertificateFinding, { description: 'Implausible, but no reason to refuse' }),
  certificate: CertificateJson,
})
export type ValidationReport = Static<typeof ValidationReport>

export const Notarization = output('NotarizationDto', {
  isNewInstance: Type.Boolean({ description: 'False when the ledger has this certificate already' }),
  timestamp: Timestamp,
  hash: HashResponse,
  transactionId: Type.Optional(Type.String({ description: 'Where it was notarized before' })),
  jobId: Type.Optional(Type.String({ description: 'The id of the certificate, to follow its notarization' })),
})
export type Notarization = Static<typeof Notarization>

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

export const Verification = output('VerificationDto', {
  isValid: Type.Boolean(),
  hash: HashResponse,
  matched: Type.Optional(
    oneOf(['json', 'pdf'], { description: 'Which of the two documents was recognised' }),
  ),
  timestamp: Type.Optional(Timestamp),
  transactionId: Type.Optional(Type.String()),
  summary: Type.Optional(CertificateSummary),
  identity: Type.Optional(
    output('VerifiedIdentityDto', { id: Id, publicKey: Type.String(), did: Type.Optional(Type.String()) }),
  ),
  company: Type.Optional(output('VerifiedCompanyDto', { name: Type.String() })),
  proof: Type.Optional(
    output('ProofReferenceDto', {
      url: Type.String({ description: 'Where the bundle for offline verification is' }),
      logIndex: Type.Integer({ minimum: 0 }),
      checkpoint: Type.String({ description: 'The signed checkpoint of the log that covers the entry' }),
    }),
  ),
  embedded: Type.Optional(
    output(
      'EmbeddedVerificationDto',
      { isValid: Type.Boolean(), hash: HashResponse },
      { description: 'An unknown PDF carried a certificate: what verifying that one gives' },
    ),
  ),
  message: Type.Optional(Type.String()),
})
export type Verification = Static<typeof Verification>

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
  error: Type.Optional(Type.String({ description: 'Why the notarization failed' })),
  retainedUntil: Type.Optional(Timestamp),
})
export type Certificate = Static<typeof Certificate>

export const CertificateHash = Type.String({ ...limits.hash, description: 'Hex, of the JSON or the PDF' })
