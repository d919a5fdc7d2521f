export {
  type CorrectedBy,
  correctedBy,
  type Correction,
  correctionType,
  readCorrection,
  recoveryOf,
  signerOf,
  subjectOf,
} from './corrections/correction.ts'
export { decodeBase58, encodeBase58 } from './encoding/base58.ts'
export { decodeBase64, decodeBase64Url, encodeBase64, encodeBase64Url } from './encoding/base64.ts'
export { decodeHex, encodeHex } from './encoding/hex.ts'
export { type DidDocument, didDocument, didOf, publicKeyOfDid } from './identity/did-key.ts'
export { decodePublicKey, isSafePoint } from './identity/public-key.ts'
export { canonicalJson } from './json/canonical.ts'
export { JsonError, type JsonRules, type JsonValue, readJson } from './json/read.ts'
export {
  buildCreate,
  buildTransfer,
  type Recipient,
  type WantedCreate,
  type WantedTransfer,
} from './ledger/build.ts'
export { canonicalLedgerText } from './ledger/canonical.ts'
export { assetIdOf, checkAgainst, type LedgerState } from './ledger/check-against.ts'
export { readUnsignedTransaction } from './ledger/read-unsigned.ts'
export {
  attachSignatures,
  completeTransaction,
  type GivenSignature,
  type WantedSignature,
  wantedSignatures,
} from './ledger/sign.ts'
export { signingMessages, transactionId } from './ledger/signing-message.ts'
export {
  type ConditionDetails,
  InvalidTransaction,
  largestTransactionBytes,
  type LedgerObject,
  type PendingFulfillment,
  type SignedTransaction,
  type SpentOutput,
  type TransactionFault,
  type TransactionOutput,
  type UnsignedTransaction,
} from './ledger/transaction.ts'
export { verifyTransaction } from './ledger/verify-transaction.ts'
export {
  type Checkpoint,
  isLogTime,
  parseCheckpoint,
  signCheckpoint,
  type TreeHead,
  verifyCheckpoint,
} from './log/checkpoint.ts'
export { proveConsistency, verifyConsistency } from './log/consistency.ts'
export { type LogEntry, readLogEntry, writeLogEntry } from './log/entry.ts'
export {
  edgeTilesOf,
  emptyTree,
  growTree,
  restoreTree,
  rootOf,
  type Tile,
  type TreeEdge,
} from './log/growing-tree.ts'
export { proveInclusion, verifyInclusion } from './log/inclusion.ts'
export { type Hash, leafHash } from './log/merkle-hash.ts'
export {
  formatNoteKey,
  type NoteKey,
  noteKey,
  NoteRefused,
  type NoteSigner,
  parseNoteKey,
} from './log/note.ts'
export {
  hashesOf,
  nodeAt,
  nodesOf,
  readNodesFromTiles,
  type TileNodes,
  type TileSource,
} from './log/tile-reader.ts'
export {
  entriesPath,
  isTileOf,
  parseTilePath,
  readEntries,
  type TileAddress,
  tilePath,
  type TilePlace,
  tileHeight,
  tileWidth,
  writeEntries,
} from './log/tiles.ts'
export { verifyTlogProof, writeTlogProof } from './log/tlog-proof.ts'
export { type EmbeddedCertificateLimits, extractEmbeddedCertificate } from './pdf/embedded-certificate.ts'
export { looksLikePdf } from './pdf/looks-like-pdf.ts'
export { portablePrimitives, type Primitives, type SignatureCheck } from './primitives.ts'
export { type StatusLeaf, type StatusProof, verifyStatus } from './status/status-leaf.ts'
export { createStatusTree, type StatusTree } from './status/status-tree.ts'
export { certificateSubject, keySubject } from './status/subject.ts'
export type { FileHash } from './verification/check-file.ts'
export { type Issuer, issuerOf } from './verification/issuer.ts'
export { type Mode, modeOf } from './verification/mode.ts'
export { plainLine } from './verification/plain-line.ts'
export { PolicyUnreadable, readPolicy, type TrustPolicy } from './verification/policy.ts'
export {
  type Check,
  type CheckName,
  type Facts,
  type Outcome,
  type Report,
} from './verification/report.ts'
export { correctionSentence } from './verification/sentences.ts'
export {
  type CountedCorrection,
  type RecordedCorrection,
  type Status,
  statusOf,
} from './verification/status.ts'
export { type Answer, type Answers, exitCodeOf, type Verdict, verdictOf } from './verification/verdict.ts'
export { verifyBundle } from './verification/verify-bundle.ts'
export { type BundledRecord, type ProofOfRecord, writeBundle } from './verification/write-bundle.ts'
