import type { JsonValue } from '../json/read.ts'
import {
  after,
  at,
  correct,
  did,
  members,
  mill,
  one,
  type Opened,
  pdf,
  policyOf,
  type Vector,
} from './cases.fixture.ts'
import { createTestLog, didOfOwner, record } from './log.fixture.ts'

/** The bundle after these corrections and a state leaf were recorded. `says`: what the leaf says that is not so. */
const stated = async (
  { log, certificate, known }: Opened,
  {
    says = {},
    corrections = [],
  }: {
    readonly says?: Parameters<typeof log.addState>[1]
    readonly corrections?: readonly ReturnType<typeof record>[]
  } = {},
) => {
  for (const [place, correction] of corrections.entries()) log.add(correction, at(20 + place))
  log.addState(at(50), says)
  return { bundle: await log.bundle(certificate, known, at(50), 3) }
}

/** With these members in place of those of a valid bundle. */
const withMembers = (more: { readonly [name: string]: JsonValue }) => async (opened: Opened) => ({
  bundle: { ...(await stated(opened)).bundle, ...more },
})

const without = (name: string) => async (opened: Opened) => {
  const { [name]: _left, ...bundle } = (await stated(opened)).bundle
  return { bundle }
}

/** The operator takes the review of the mill back. */
const endOf = ({ log, review }: Opened, since: string) =>
  record(log.operator, {
    type: 'withdraw-review',
    subject: `review ${did}`,
    review: review.id,
    since,
    reason: 'Fraud',
    by: 'operator',
  })

const ended: readonly (() => Promise<Vector>)[] = [
  one('a review that ended before the certificate is left out', 'unknownIssuer', async (opened) => {
    const { log, certificate, identity } = opened
    log.add(endOf(opened, at(9)), at(20))
    log.addState(at(50))
    return { bundle: await log.bundle(certificate, { identity }, at(50), 3) }
  }),
  one('a review that ended after the certificate still counts', 'genuine', (opened) =>
    stated(opened, { corrections: [endOf(opened, at(30))] }),
  ),
  one('the end of a review among the corrections', 'unchecked', async (opened) => {
    const { log, certificate, known } = opened
    const end = log.add(endOf(opened, at(9)), at(20))
    log.addState(at(50))
    return { bundle: await log.bundle(certificate, { ...known, corrections: [end] }, at(50), 3) }
  }),
  one('the end of a review in the status tree of the key', 'unknownStatus', async (opened) => {
    const { log, certificate, known } = opened
    const end = endOf(opened, at(9))
    const listed = correct(log.operator, { action: 'revoke-key', did, since: at(5) })
    log.add(listed, at(20), undefined, end)
    log.addState(at(50))
    return { bundle: await log.bundle(certificate, { ...known, corrections: [end] }, at(50), 3) }
  }),
]

const withdrawal = ({ certificate }: Opened) =>
  correct(mill, { action: 'withdraw', transactionId: certificate.id })

export const format3: readonly (() => Promise<Vector>)[] = [
  one('a state leaf, JSON', 'genuine', stated),
  one('a state leaf, PDF', 'genuine', async (opened) => ({ ...(await stated(opened)), file: pdf })),
  one('a state leaf, test log', 'test', stated, 'mill.example/ledger/test'),
  one('a state leaf after a withdrawal', 'withdrawn', (opened) =>
    stated(opened, { corrections: [withdrawal(opened)] }),
  ),
  one('a state leaf that is old', 'oldStatus', async (opened) => ({
    ...(await stated(opened)),
    now: '2026-12-22T05:50:01.000Z',
  })),
  one('a log that has no state leaf yet', 'genuine', async (opened) => {
    const { log, certificate, known } = opened
    const { state: _none, ...bundle } = await log.bundle(certificate, known, at(50), 3)
    return { bundle }
  }),
  one('the last entry is not a state leaf', 'altered', async ({ log, certificate, known }) => {
    log.addState(at(49))
    log.add(correct(log.operator, { action: 'revoke-key', did, since: at(40) }), at(50))
    return { bundle: await log.bundle(certificate, known, at(50), 3) }
  }),
  one('another time than in the state leaf', 'altered', (opened) =>
    stated(opened, { says: { time: at(49) } }),
  ),
  one('another operator than in the state leaf', 'altered', (opened) =>
    stated(opened, { says: { operator: didOfOwner(mill) } }),
  ),
  one('another status than in the state leaf', 'altered', (opened) =>
    stated(opened, {
      says: { status: { size: 1, root: new Uint8Array(32) } },
      corrections: [withdrawal(opened)],
    }),
  ),
  one('a path that is not that of the state leaf', 'altered', async (opened) => {
    const { bundle } = await stated(opened)
    const { path } = members(bundle['identity'] ?? null)
    return { bundle: { ...bundle, state: { path: path ?? '' } } }
  }),
  one('a state leaf, but a checkpoint without status', 'altered', async ({ certificate }) => {
    const log = createTestLog('mill.example/ledger/live', { hasStatus: false })
    log.add(certificate)
    log.addState(at(50))
    return { bundle: await log.bundle(certificate, {}, at(50), 3) }
  }),
  one('stamps that no verifier knows', 'genuine', withMembers({ stamps: [{ kind: 'unknown' }, {}] })),
  one(
    'a stamp that proves nothing',
    'genuine',
    withMembers({ stamps: [{ kind: 'rfc3161', checkpoint: 'x', path: 'AAAA', token: '' }] }),
  ),
  one('stamps that are no list', 'unchecked', withMembers({ stamps: {} })),
  one('a stamp that is no object', 'unchecked', withMembers({ stamps: ['rfc3161'] })),
  one('no stamps', 'unchecked', without('stamps')),
  one(
    'countersignatures that no verifier knows',
    'genuine',
    withMembers({ countersignatures: [{ kind: 'unknown' }] }),
  ),
  one('a countersignature that is no object', 'unchecked', withMembers({ countersignatures: [null] })),
  one('no countersignatures', 'unchecked', without('countersignatures')),
  one('a member of the future, format 3', 'unchecked', withMembers({ anchors: [] })),
  one('a state without a path', 'unchecked', withMembers({ state: {} })),
  one('a state that is null', 'unchecked', withMembers({ state: null })),
  one('a state with another member', 'unchecked', withMembers({ state: { path: '', time: at(50) } })),
  one('a state in format 2', 'unchecked', withMembers({ formatVersion: 2 })),
  one('format 3 without its members', 'unchecked', async (opened) => ({
    bundle: { ...members((await after(opened)).bundle), formatVersion: 3 },
  })),
  one('extra data in the proof, format 3', 'altered', async (opened) => {
    const { bundle } = await stated(opened)
    const { proof } = bundle
    if (typeof proof !== 'string') throw new TypeError('The bundle has no proof')
    return { bundle: { ...bundle, proof: proof.replace('\nindex', '\nextra eA==\nindex') } }
  }),
  one('a policy without logs, format 3', 'unchecked', async (opened) => ({
    ...(await stated(opened)),
    policy: policyOf(opened, { logs: [] }),
  })),
  ...ended,
]
