import { createTestLog, didOfOwner, record } from './log.fixture.ts'
import {
  type Vector,
  jsonHash,
  pdfHash,
  pdf,
  at,
  mill,
  thief,
  did,
  identityOf,
  policyOf,
  reviewOf,
  one,
  after,
} from './cases.fixture.ts'

export const valid: readonly (() => Promise<Vector>)[] = [
  one('a reviewed issuer, JSON', 'genuine', after),
  one('a reviewed issuer, PDF', 'genuine', async (opened) => ({ ...(await after(opened)), file: pdf })),
  one('a test log', 'test', after, 'mill.example/ledger/test'),
  one('a log that continues another', 'genuine', after, 'mill.example/ledger/live/2'),
  one('a test log that continues another', 'test', after, 'mill.example/ledger/test/3'),
  one('an issuer of the policy, not published', 'genuine', async (opened) => ({
    bundle: await opened.log.bundle(opened.certificate, {}, at(50)),
    policy: policyOf(opened, {
      policyVersion: 1,
      issuers: [{ did, name: 'Our mill' }],
      onlyKnownIssuers: true,
    }),
  })),
  one('an issuer that nobody reviewed', 'unknownIssuer', async ({ log, certificate, identity }) => ({
    bundle: await log.bundle(certificate, { identity }, at(50)),
  })),
  one('only the issuers of the policy, and this is another', 'refused', async (opened) => ({
    ...(await after(opened)),
    policy: policyOf(opened, {
      issuers: [{ did: didOfOwner(thief), name: 'Other' }],
      onlyKnownIssuers: true,
    }),
  })),
  one('an issuer that gave itself another name than the reviewed one', 'genuine', async (opened) => {
    const { log, certificate, review } = opened
    const identity = log.add(identityOf(mill, { company: 'A well-known mill' }), at(20))
    return { bundle: await log.bundle(certificate, { identity, review }, at(50)) }
  }),
  one('a review that is dated a minute after its entry', 'genuine', async (opened) => {
    const { log, certificate, identity } = opened
    const review = log.add(reviewOf(log.operator, mill, { reviewedAt: at(21) }), at(20))
    return { bundle: await log.bundle(certificate, { identity, review }, at(50)) }
  }),
  one('a policy without logs', 'unchecked', async (opened) => ({ ...(await after(opened)), policy: {} })),
  one('a policy with the key of another log', 'unchecked', async (opened) => ({
    ...(await after(opened)),
    policy: { logs: [createTestLog('other.example/ledger/live').vkey] },
  })),
  one('a log of BigchainDB transactions without times and status', 'unknownStatus', async () => {
    const log = createTestLog('mill.example/ledger/live', { hasStatus: false })
    const certificate = log.add(record(mill, { jsonHash, pdfHash }))
    return {
      bundle: await log.bundle(certificate),
      policy: { logs: [log.vkey], issuers: [{ did, name: 'Our mill' }] },
    }
  }),
]
