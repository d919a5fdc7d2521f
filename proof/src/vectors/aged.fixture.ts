import {
  after,
  at,
  correct,
  did,
  mill,
  one,
  type Opened,
  pdf,
  policyOf,
  thief,
  type Vector,
} from './cases.fixture.ts'
import { createTestLog, didOfOwner, type record } from './log.fixture.ts'

/** 30 days, and 7, after the status that `after` gives. */
const limit = '2026-12-22T05:50:00.000Z'
const past = '2026-12-22T05:50:01.000Z'
const weekLater = '2026-11-29T05:50:00.000Z'
const pastTheWeek = '2026-11-29T05:50:01.000Z'
const testLog = 'mill.example/ledger/test'

const asked =
  (
    now: string,
    more: Partial<Vector> = {},
    ...actions: readonly ((opened: Opened) => ReturnType<typeof record>)[]
  ) =>
  async (opened: Opened) => ({
    ...(await after(opened, ...actions.map((action) => action(opened)))),
    now,
    ...more,
  })

const withdrawal = ({ certificate }: Opened) =>
  correct(mill, { action: 'withdraw', transactionId: certificate.id })
const revocation = ({ log }: Opened) => correct(log.operator, { action: 'revoke-key', did, since: at(5) })

export const aged: readonly (() => Promise<Vector>)[] = [
  one('a status exactly at the limit', 'genuine', asked(limit)),
  one('a status one second past the limit', 'oldStatus', asked(past)),
  one('a status one millisecond past the limit', 'oldStatus', asked('2026-12-22T05:50:00.001Z')),
  one('an old status, PDF', 'oldStatus', asked(past, { file: pdf })),
  one('a status in the future is not old', 'genuine', asked('2026-11-22T05:00:00.000Z')),
  one('another maximum age, exactly', 'genuine', asked(weekLater, { maxStatusAgeDays: 7 })),
  one('another maximum age, one second past', 'oldStatus', asked(pastTheWeek, { maxStatusAgeDays: 7 })),
  one('a longer maximum age', 'genuine', asked(past, { maxStatusAgeDays: 31 })),
  one('a maximum age of 0 days, at once', 'genuine', asked(at(50), { maxStatusAgeDays: 0 })),
  one('a maximum age of 0 days, later', 'oldStatus', asked(at(51), { maxStatusAgeDays: 0 })),
  one('a status without a time is old', 'oldStatus', timeless),
  one('withdrawn, and old', 'withdrawn', asked(past, {}, withdrawal)),
  one('key revoked, and old', 'revoked', asked(past, {}, revocation)),
  one('an issuer that nobody reviewed, and old', 'unknownIssuer', async ({ log, certificate, identity }) => ({
    bundle: await log.bundle(certificate, { identity }, at(50)),
    now: past,
  })),
  one('only the issuers of the policy, and old', 'refused', async (opened) => ({
    ...(await after(opened)),
    policy: policyOf(opened, {
      issuers: [{ did: didOfOwner(thief), name: 'Other' }],
      onlyKnownIssuers: true,
    }),
    now: past,
  })),
  one(
    'withdrawn by a stranger, and old',
    'unknownStatus',
    asked(past, {}, ({ certificate }) =>
      correct(thief, { action: 'withdraw', transactionId: certificate.id }),
    ),
  ),
  one('a test log, and old', 'test', asked(past), testLog),
  one('a withdrawn test certificate, and old', 'withdrawn', asked(past, {}, withdrawal), testLog),
]

/** No honest log has a status tree and no time. */
async function timeless({ certificate }: Opened) {
  const log = createTestLog('mill.example/ledger/live')
  log.add(certificate)
  return {
    bundle: await log.bundle(certificate),
    policy: { logs: [log.vkey], issuers: [{ did, name: 'Our mill' }] },
    now: at(50),
  }
}
