import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { answers, codeVerdicts, verdicts } from '../vocabulary.ts'
import { CertificateSummary, HashResponse } from './certificates.ts'
import { Id, ModeValue, oneOf, output, ReasonShape, Timestamp } from './common.ts'
import { Correction } from './corrections.ts'

const Answer = oneOf(answers)

/** What is known about the issuer and later corrections. */
const judged = {
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
}

/** Who is named for the key, and where the proof is. */
const recorded = {
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
  notes: Type.Optional(
    Type.Array(ReasonShape, {
      description:
        'What the proof does not say. `not_checked_here`: this service has no record that it notarized the entry, so nobody checked what the certificate says. `also_recorded_by`: another company has recorded the same certificate, too; `GET /certificates/proof/{hash}?issuer=` has its entry. `review_taken_back`: the operator took the review of the issuer back, for later certificates. `recorded_after_review`: for this one, too. `sealed_by`: who sealed the PDF, and that this was not checked; `sealed_by_somebody`: the company is not reviewed',
    }),
  ),
  proof: Type.Optional(
    output('ProofReferenceDto', {
      url: Type.String({ description: 'The address of the proof bundle' }),
      logIndex: Type.Integer({ minimum: 0 }),
      checkpoint: Type.String({ description: 'The signed checkpoint of the log that includes the entry' }),
    }),
  ),
}

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
  ...judged,
  hash: HashResponse,
  matched: Type.Optional(oneOf(['json', 'pdf'], { description: 'The document that matched' })),
  timestamp: Type.Optional(Timestamp),
  transactionId: Type.Optional(Type.String()),
  summary: Type.Optional(CertificateSummary),
  ...recorded,
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
  message: Type.Optional(Type.String({ description: 'In words: `otherSeller` and `notes`' })),
})
export type Verification = Static<typeof Verification>

export const CertificateHash = Type.String({
  ...limits.hash,
  description: 'The hash of the JSON or the PDF in hex',
})

export const CertificateCode = Type.String({
  pattern: '^[A-Za-z0-9_-]{21}[AQgw]$',
  ...limits.certificateCode,
  description: 'The first 16 bytes of the SHA-256 of the canonical JSON in base64url, as in the QR code',
})

const CodedCertificate = output('CodedCertificateDto', {
  verdict: oneOf(codeVerdicts, {
    description:
      'What the ledger says, in one word. There is no `genuine`: a code can be printed on any paper, and only the file can be verified. `recorded`: by a known issuer, and still valid. `test`: does not describe real material',
  }),
  mode: ModeValue,
  answers: output(
    'CodedAnswersDto',
    { issuer: Answer, time: Answer, status: Answer },
    { description: 'Is the issuer known? Is the time confirmed by the log? Is it still valid?' },
  ),
  ...judged,
  hash: HashResponse,
  timestamp: Timestamp,
  transactionId: Type.String(),
  said: Type.Optional(
    Type.Array(output('SaidDto', { en: Type.String(), de: Type.String() }), {
      description: '`notes` in words, for people',
    }),
  ),
  ...recorded,
})
export type CodedCertificate = Static<typeof CodedCertificate>

export const CodeAnswer = output('CertificateCodeDto', {
  certificates: Type.Array(CodedCertificate, {
    minItems: 1,
    description:
      'One for each mode in which it was notarized. Another certificate could have the same first 16 bytes; then it is listed too',
  }),
})
export type CodeAnswer = Static<typeof CodeAnswer>
