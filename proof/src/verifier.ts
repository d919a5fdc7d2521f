/** What a verifier with its own cryptography needs. Loads nothing else, so that a command starts quickly. */
export { encodeBase64Url } from './encoding/base64.ts'
export { decodeHex, encodeHex } from './encoding/hex.ts'
export { canonicalJson } from './json/canonical.ts'
export { JsonError, type JsonValue, readJson } from './json/read.ts'
export { valueAt } from './json/value-at.ts'
export { type EmbeddedCertificateLimits, extractEmbeddedCertificate } from './pdf/embedded-certificate.ts'
export { inflate } from './pdf/inflate.ts'
export { looksLikePdf } from './pdf/looks-like-pdf.ts'
export { alphabetRemark, mixesAlphabets } from './verification/alphabets.ts'
export { deepestBundle } from './verification/bundle.ts'
export type { Confirmation } from './verification/confirmation.ts'
export type { FileHash } from './verification/check-file.ts'
export { bestBundle, nodeProofPath } from './verification/gathered.ts'
export {
  type Headline,
  headlineOf,
  isChanged,
  ownReviewSentence,
  type Tone,
  tones,
  verdictWords,
} from './verification/headline.ts'
export { type Issuer, issuerOf } from './verification/issuer.ts'
export { type Mode, modeOf } from './verification/mode.ts'
export {
  legalForms,
  otherAmong,
  otherSeller,
  otherSellerRemark,
  otherSellerSentence,
} from './verification/other-seller.ts'
export { plainLine } from './verification/plain-line.ts'
export { withoutMarks } from './verification/without-marks.ts'
export {
  looksLikePolicy,
  parsePolicyFile,
  PolicyUnreadable,
  readPolicy,
  type TrustPolicy,
} from './verification/policy.ts'
export {
  type Check,
  type CheckName,
  type Facts,
  type Outcome,
  type Report,
} from './verification/report.ts'
export { type Seller, sellersOf } from './verification/sellers.ts'
export { confirmationIn, confirmationWords, correctionSentence } from './verification/sentences.ts'
export {
  type CountedCorrection,
  type RecordedCorrection,
  type Status,
  statusOf,
} from './verification/status.ts'
export { type Answer, type Answers, exitCodeOf, type Verdict, verdictOf } from './verification/verdict.ts'
export { twoFormatsOf } from './verification/two-formats.ts'
export type { Reading } from './verification/status-age.ts'
export { verifyBundle } from './verification/verify-bundle.ts'
