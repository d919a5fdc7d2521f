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
export { concatBytes, equalBytes } from './encoding/bytes.ts'
export { decodeBase64, decodeBase64Url, encodeBase64, encodeBase64Url } from './encoding/base64.ts'
export { type DidDocument, didDocument } from './identity/did-document.ts'
export { signCreate } from './ledger/sign-create.ts'
export { didOf, publicKeyOfDid } from './identity/did-key.ts'
export { decodePublicKey, isSafePoint } from './identity/public-key.ts'
export {
  buildCreate,
  buildTransfer,
  type Recipient,
  type WantedCreate,
  type WantedTransfer,
} from './ledger/build.ts'
export { readStorableJson, type StorableRules } from './json/read-storable.ts'
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
export { type VerifiedTransaction, verifyTransaction, verifyWithText } from './ledger/verify-transaction.ts'
export {
  type Checkpoint,
  checkpointIn,
  isSameHead,
  isLogTime,
  originOf,
  parseCheckpoint,
  signCheckpoint,
  type TreeHead,
  verifyCheckpoint,
} from './log/checkpoint.ts'
export { proveConsistency, verifyConsistency } from './log/consistency.ts'
export {
  collectCosignatures,
  cosign,
  type Cosignature,
  type Cosigner,
  type CosignerKey,
  cosignerKey,
  formatCosignerKey,
  parseCosignerKey,
} from './log/cosignature.ts'
export { type LogEntry, logEntryOf, readLogEntry, writeLogEntry } from './log/entry.ts'
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
  parseKeyFile,
  parseNoteKey,
  splitNote,
} from './log/note.ts'
export { isStateLeaf, type LogStatement, timeOfStateLeaf, writeStateLeaf } from './log/state-leaf.ts'
export { readRoot } from './log/subtrees.ts'
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
export { isQuorum, parseTlogPolicy, type TlogPolicy, TlogPolicyUnreadable } from './log/tlog-policy.ts'
export { verifyTlogProof, writeTlogProof } from './log/tlog-proof.ts'
export { type Hashing, portablePrimitives, type Primitives, type SignatureCheck } from './primitives.ts'
export { findSealHole, type SealHole } from './seal/find-seal.ts'
export { personName } from './seal/person-name.ts'
export { readSealCertificates, type SealCertificates } from './seal/seal-certificates.ts'
export { SealRefused } from './seal/seal-refused.ts'
export { type Seal, verifySeal } from './seal/verify-seal.ts'
export { writeSeal, writeSealAttributes } from './seal/write-seal.ts'
export { type ProvenStamp, writeStamp } from './stamps/bundled-stamp.ts'
export { readStampResponse, type StampQuestion, writeStampRequest } from './stamps/stamp-exchange.ts'
export { StampRefused } from './stamps/stamp-refused.ts'
export type { Authority } from './stamps/chain.ts'
export { readAuthority, type Stamped, verifyStamp } from './stamps/verify-stamp.ts'
export { type StatusLeaf, type StatusProof, verifyStatus } from './status/status-leaf.ts'
export { createStatusTree, type StatusTree } from './status/status-tree.ts'
export { certificateSubject, keySubject } from './status/subject.ts'
export { stampsOn } from './verification/stamped.ts'
export { verdictWords } from './verification/headline.ts'
export {
  type BundledRecord,
  type ProofOfRecord,
  writeBundle,
  writeBundle3,
} from './verification/write-bundle.ts'
export * from './verifier.ts'
