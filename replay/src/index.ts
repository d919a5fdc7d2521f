export { createCertificateEntries, mostEntriesOfCertificate } from './certificates.ts'
export { keyAfter, type RecordedKey } from './corrections.ts'
export {
  besideOf,
  certificateHash,
  correctedSubject,
  type Entry,
  readVerifiedEntry,
  spentBy,
} from './entry.ts'
export { emptyHashIndex, type HashIndex, restoreHashIndex } from './hash-index.ts'
export { LogRefused } from './log-refused.ts'
export { createReplay, emptyReplay, type Replay, type ReplayState } from './replay.ts'
export { assertAllowed, assertTimeFollows } from './rules.ts'
export { readSnapshot, writeSnapshot } from './snapshot.ts'
