import { type Static, Type } from 'typebox'
import {
  certificateMailStates,
  certificateStates,
  hashAlgorithms,
  hashEncodings,
  heldBackReasons,
  releaseDecisions,
  sealLevels,
  submissionStates,
} from '../vocabulary.ts'
import { CheckedBy, SelfCheckFinding } from './certificate-checks.ts'
import { Id, input, JsonObject, ModeValue, oneOf, output, Reasons, stored, Timestamp } from './common.ts'
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

const RecordedIssuer = output(
  'RecordedIssuerDto',
  {
    name: Type.Optional(
      Type.String({ description: 'Of its company; absent if it has not published the identity that signed' }),
    ),
    did: Type.Optional(Type.String({ description: 'The key that signed; absent if several did' })),
    time: Timestamp,
  },
  { description: 'Who recorded the certificate, and when, if isNewInstance is false' },
)
export type RecordedIssuer = Static<typeof RecordedIssuer>

type NotarizationFields = {
  timestamp: string
  hash: HashResponse
  checkedBy: CheckedBy
  findings: SelfCheckFinding[]
}

/** `isNewInstance` decides which id the answer has. */
export type Notarization =
  | (NotarizationFields & {
      isNewInstance: true
      jobId: string
      state: (typeof submissionStates)[number]
      transactionId?: undefined
      issuer?: undefined
    })
  | (NotarizationFields & {
      isNewInstance: false
      transactionId: string
      issuer?: RecordedIssuer | undefined
      jobId?: undefined
      state?: undefined
    })

export const Notarization = Type.Unsafe<Notarization>(
  output('NotarizationDto', {
    isNewInstance: Type.Boolean({ description: 'false if the certificate is already on the ledger' }),
    timestamp: Timestamp,
    hash: HashResponse,
    checkedBy: CheckedBy,
    findings: Type.Array(SelfCheckFinding, { description: 'As in the report of a validation' }),
    transactionId: Type.Optional(
      Type.String({ description: 'The transaction of the certificate, if isNewInstance is false' }),
    ),
    jobId: Type.Optional(
      Type.String({
        description: 'The id of the certificate, for following its notarization, if isNewInstance is true',
      }),
    ),
    state: Type.Optional(
      oneOf(submissionStates, {
        description:
          'Of the notarization, if isNewInstance is true. awaitingRelease: nothing is signed or mailed until another approver or admin of the company releases it',
      }),
    ),
    issuer: Type.Optional(RecordedIssuer),
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
  heats: Type.Optional(
    Type.Array(Type.String(), {
      description: 'The first heats or batches that it names; missing in certificates of earlier releases',
    }),
  ),
})
export type CertificateSummary = Static<typeof CertificateSummary>

/** Fields of a mail about a certificate. */
export const certificateMail = {
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
  saved: Type.Optional(
    Type.Boolean({
      description: 'true if the service had no mail server: the mail was saved as a file and reached nobody',
    }),
  ),
  again: Type.Optional(Type.Boolean({ description: 'true if somebody sent the mail again' })),
}

export const CertificateMail = output('CertificateMailDto', certificateMail)
export type CertificateMail = Static<typeof CertificateMail>

export const Release = output(
  'ReleaseDto',
  {
    decision: oneOf(releaseDecisions),
    at: Timestamp,
    by: Type.Optional(Id),
    name: Type.Optional(Type.String({ description: 'The user name, if the account still exists' })),
  },
  { description: 'Who decided about a certificate that waited; without `by`, nobody did in time' },
)

export const Seal = output(
  'SealDto',
  {
    signer: Type.String({ description: 'Who sealed it, as their certificate names them' }),
    issuer: Type.String({ description: 'Who issued that certificate' }),
    sealedAt: Timestamp,
    level: oneOf(sealLevels, {
      description: 'PAdES baseline: B-T has a time stamp (RFC 3161), B-B has none',
    }),
    stampedBefore: Type.Optional(
      Type.String({ format: 'date-time', description: 'The time stamp: it was sealed before' }),
    ),
    stampedBy: Type.Optional(Type.String({ description: 'The authority that made the time stamp' })),
  },
  { description: 'The electronic seal of the PDF' },
)

export const Certificate = output('CertificateDto', {
  ...stored,
  mode: ModeValue,
  state: oneOf(certificateStates),
  refSchemaUrl: Type.String(),
  hash: HashResponse,
  pdfHash: Type.Optional(HashResponse),
  transactionId: Type.Optional(Type.String()),
  timestamp: Type.Optional(Timestamp),
  confirmedAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'When a quorum of other organisations had signed that the ledger has the entry; missing before, and if the log has no cosigners',
    }),
  ),
  confirmedBy: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Who had signed it, by the name of the key',
      examples: [['inspection.example/w1']],
    }),
  ),
  seal: Type.Optional(Seal),
  identity: Id,
  owner: Id,
  summary: Type.Optional(CertificateSummary),
  error: Type.Optional(Type.String({ description: 'The reason why the notarization failed' })),
  reasons: Reasons,
  release: Type.Optional(Release),
  withdrawn: Type.Optional(Type.Boolean({ description: 'true once the certificate is withdrawn' })),
  replacedBy: Type.Optional(
    Type.String({ format: 'uuid', description: 'The certificate that replaces this one' }),
  ),
  replaces: Type.Optional(
    Type.String({ format: 'uuid', description: 'The certificate that it was submitted to replace' }),
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
