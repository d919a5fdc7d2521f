import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { input } from '../shapes/common.ts'
import { CertificateJson } from '../shapes/certificate-checks.ts'
import { ProofBundle } from '../shapes/proofs.ts'
import { CertificateCode, CertificateHash, CodeAnswer, Verification } from '../shapes/verifications.ts'

const verification = {
  service: 'certificate-service',
  variant: 'both',
  method: 'POST',
  description:
    'For anyone who has the JSON or the PDF. `mode` is the mode in which it was notarized. If the certificate is not on the ledger, the answer has `isValid` false and is not an error. You can poll this operation if you receive neither e-mails nor webhooks.',
  access: 'public',
  action: { resource: 'certificates', action: 'validate_one' },
  mode: 'query',
  body: { kind: 'document', accepts: ['application/json', 'application/pdf'], schema: CertificateJson },
  answer: { kind: 'json', status: 200, schema: Verification },
  errors: ['certificate_invalid', 'file_too_costly'],
  limit: { perMinute: limits.verifyCallsPerMinute },
  idempotency: 'repeatable',
  cors: 'any',
} as const

export const verifyCertificate = operation({
  ...verification,
  id: 'certificates.verify',
  path: '/certificates/verify',
  summary: 'Verify a certificate',
})

export const verifyCertificateFile = operation({
  ...verification,
  id: 'certificates.verify_file',
  path: '/certificates/verify-file',
  summary: 'Verify a certificate file',
})

const BundleFormat = Type.Integer({
  minimum: 2,
  maximum: 3,
  default: 2,
  description: 'The format of the bundle: 3 for verifiers that know it, because others refuse it',
})

export const readProof = operation({
  service: 'certificate-service',
  variant: 'current',
  id: 'certificates.read_proof',
  method: 'GET',
  path: '/certificates/proof/{hash}',
  summary: 'Download the proof bundle of a certificate for offline verification',
  description:
    '`hash` is the SHA-256 of the canonical JSON or of the PDF. The bundle contains hashes and signatures, never the certificate. The header `X-Notes` has the codes of the `notes` that a verification has, and `X-Notes-Text` their words: JSON, a list with `en` and `de` for each. If several companies recorded the certificate, the bundle is that of the seller whom it names, or else that of the first. If the log has cosigners, the header `Millseal-Confirmed` says how many of them have signed the checkpoint of the bundle: `2/3`.',
  access: 'public',
  mode: 'query',
  params: Type.Object({ hash: CertificateHash }),
  query: Type.Object({
    issuer: Type.Optional(
      Type.String({
        pattern: '^did:key:z[1-9A-HJ-NP-Za-km-z]{40,64}$',
        maxLength: 80,
        description:
          'The DID of the key that signed the entry, if several companies recorded the certificate',
      }),
    ),
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: limits.proofWaitSeconds,
        description:
          'For how many seconds the answer may wait for the signatures of a quorum of cosigners. Without them, it has those that there are',
      }),
    ),
    format: Type.Optional(BundleFormat),
  }),
  answer: { kind: 'json', status: 200, schema: ProofBundle },
  errors: ['not_found'],
  limit: { perMinute: limits.verifyCallsPerMinute },
  cors: 'any',
})

export const readProofs = operation({
  service: 'certificate-service',
  variant: 'current',
  id: 'certificates.read_proofs',
  method: 'POST',
  path: '/certificates/proofs',
  summary: 'Download the proof bundles of many certificates',
  description:
    'The answer is NDJSON: a line for each hash in its order, with the `status` and the `error` or, in `answer`, the `bundle` of `GET /certificates/proof/{hash}` and its `notes`. The last line has `end`: without it the answer was cut off.',
  access: 'public',
  action: { resource: 'certificates', action: 'validate_many' },
  mode: 'query',
  query: Type.Object({ format: Type.Optional(BundleFormat) }),
  body: {
    kind: 'json',
    schema: input('ReadProofsDto', {
      hashes: Type.Array(CertificateHash, { minItems: 1, maxItems: limits.proofs }),
    }),
  },
  answer: { kind: 'content', status: 200, types: ['application/x-ndjson'], streamed: true },
  limit: { perMinute: limits.proofCallsPerMinute },
  idempotency: 'repeatable',
  cors: 'any',
})

export const readCertificateCode = operation({
  service: 'certificate-service',
  variant: 'current',
  id: 'certificates.read_code',
  method: 'GET',
  path: '/certificates/codes/{code}',
  summary: 'Look up the code that is printed on a certificate',
  description:
    'For readers of the QR code, which contains `/v/{code}`. Says what the ledger has for this code, in test and live mode. That is not a verification of the paper: verify the JSON or the PDF. If the ledger has nothing, the answer is 404.',
  access: 'public',
  params: Type.Object({ code: CertificateCode }),
  answer: { kind: 'json', status: 200, schema: CodeAnswer },
  errors: ['not_found'],
  limit: { perMinute: limits.verifyCallsPerMinute },
  cors: 'any',
})
