import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import {
  answers,
  certificateMailStates,
  certificateStates,
  hashAlgorithms,
  hashEncodings,
  heldBackReasons,
  verdicts,
} from '../vocabulary.ts'
import { CheckedBy } from './certificate-checks.ts'
import { Id, input, JsonObject, ModeValue, oneOf, output, stored, Timestamp } from './common.ts'
import { Correction } from './corrections.ts'

const Algorithm = oneOf(hashAlgorithms, { default: 'sha256' })
const Encoding = oneOf(hashEncodings, { default: 'hex' })

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

const Answer = oneOf(answers)

export const Verification = output('VerificationDto', {
  isValid: Type.Boolean({
    description: 'Whether the file is unchanged and on the ledger. For everything else read `verdict`',
  }),
  verdict: oneOf(verdicts, {
    description:
      'The result in one word: only `genuine` means unchanged, by a known issuer, and still valid. `test`: does not describe real material',
  }),
  mode: ModeValue,
  answers: Type.Optional(
    output(
      'VerificationAnswersDto',
      { unchanged: Answer, issuer: Answer, time: Answer, status: Answer },
      {
        description:
          'Is it unchanged? Is the issuer known? Is the time confirmed by the log? Is it still valid?',
      },
    ),
  ),
  issuer: Type.Optional(
    output(
      'VerifiedIssuerDto',
      {
        did: Type.String({ description: 'The key that signed' }),
        name: Type.Optional(
          Type.String({
            description:
              'The name that was reviewed when the certificate was signed; without a review, the name that the key gave itself',
          }),
        ),
        vatId: Type.Optional(Type.String()),
        reviewedAt: Type.Optional(
          Type.String({
            format: 'date-time',
            description: 'When the operator of the log reviewed the company; absent if it did not',
          }),
        ),
        evidence: Type.Optional(
          Type.String({ description: 'SHA-256 of what the operator stores about the review, hex' }),
        ),
        currentName: Type.Optional(
          Type.String({ description: 'The present name of the company, if it was renamed since' }),
        ),
      },
      { description: 'Absent if several keys signed' },
    ),
  ),
  corrections: Type.Optional(
    Type.Array(Correction, { description: 'Those that count for this certificate, in the order of the log' }),
  ),
  asOf: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'The time of the checkpoint: corrections recorded later are not included',
    }),
  ),
  hash: HashResponse,
  matched: Type.Optional(oneOf(['json', 'pdf'], { description: 'The document that matched' })),
  timestamp: Type.Optional(Timestamp),
  transactionId: Type.Optional(Type.String()),
  summary: Type.Optional(CertificateSummary),
  identity: Type.Optional(
    output('VerifiedIdentityDto', { id: Id, publicKey: Type.String(), did: Type.Optional(Type.String()) }),
  ),
  company: Type.Optional(
    output('VerifiedCompanyDto', {
      name: Type.String({
        description: 'As it was when the certificate was signed; `issuer` has the present name',
      }),
    }),
  ),
  proof: Type.Optional(
    output('ProofReferenceDto', {
      url: Type.String({ description: 'The address of the proof bundle' }),
      logIndex: Type.Integer({ minimum: 0 }),
      checkpoint: Type.String({ description: 'The signed checkpoint of the log that includes the entry' }),
    }),
  ),
  embedded: Type.Optional(
    output(
      'EmbeddedVerificationDto',
      { isValid: Type.Boolean(), hash: HashResponse },
      { description: 'The result for the certificate inside a PDF that is not on the ledger' },
    ),
  ),
  otherSeller: Type.Optional(
    output(
      'OtherSellerDto',
      {
        role: oneOf(['seller', 'supplier', 'manufacturer']),
        name: Type.Optional(Type.String()),
        vatId: Type.Optional(Type.String()),
      },
      {
        description:
          'Whom the certificate names as its seller, if that is not the company that notarized it. Traders notarize certificates of others: this is no fault',
      },
    ),
  ),
  message: Type.Optional(Type.String({ description: 'A remark in words: `otherSeller`' })),
})
export type Verification = Static<typeof Verification>

const CertificateMail = output('CertificateMailDto', {
  to: Type.String({ description: 'The e-mail address' }),
  state: oneOf(certificateMailStates, {
    description: 'not_sent: see `reason`; refused: the mail server did not accept the mail',
  }),
  reason: Type.Optional(
    oneOf(heldBackReasons, {
      description:
        'test_mode: would have been sent in live mode; unreviewed: would have been sent by a verified company',
    }),
  ),
  sentAt: Type.Optional(Timestamp),
})
export type CertificateMail = Static<typeof CertificateMail>

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
  mails: Type.Optional(
    Type.Array(CertificateMail, {
      description:
        'Who gets the certificate by mail, and who would have; only if a single certificate is read, for a month',
    }),
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

export const CertificateHash = Type.String({
  ...limits.hash,
  description: 'The hash of the JSON or the PDF in hex',
})
