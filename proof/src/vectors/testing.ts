/** For tests of other workspaces: a log in memory that signs bundles of every kind. */
export { ownerOf, signWholly } from '../ledger/owners.fixture.ts'
export { alterationsOf } from './alterations.fixture.ts'
export { cosigned, policy2Of, tlogPolicyOf } from './cosigners.fixture.ts'
export { createTestLog, didOfOwner, record } from './log.fixture.ts'
export {
  attacker,
  type Genuine,
  type HostileDrop,
  honestMill,
  hostileDrops,
  pdfWith,
  sha256Of,
} from './hostile-drops.fixture.ts'
export { readingOf } from './cases.fixture.ts'
export { reviewCases } from './reviews.corpus.fixture.ts'
