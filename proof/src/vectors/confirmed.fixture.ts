import {
  after,
  at,
  correct,
  members,
  mill,
  one,
  type Opened,
  policyOf,
  thief,
  type Vector,
} from './cases.fixture.ts'
import { cosignatures } from './cosignatures.fixture.ts'
import { policy2Of } from './cosigners.fixture.ts'
import { didOfOwner } from './log.fixture.ts'
import { bothNodes, by, first, nobody, second, type Signed, signed, third } from './signed.fixture.ts'

const nodeAndWitness: readonly Signed[] = [
  ['university', first],
  ['association', second],
]

const withdrawal = ({ certificate }: Opened) =>
  correct(mill, { action: 'withdraw', transactionId: certificate.id })

const quorums: readonly (() => Promise<Vector>)[] = [
  one('held by a quorum of nodes', 'genuine', signed(bothNodes, by('nodes', second))),
  one(
    'held by all, in another order',
    'genuine',
    signed([['university', third], ...bothNodes.toReversed()], by('nodes', second)),
  ),
  one('witnessed by a node and a witness', 'genuine', signed(nodeAndWitness, by('witnesses', second))),
  one(
    'witnessed before it was held',
    'genuine',
    signed(
      [
        ['university', first],
        ['inspector', second],
        ['association', third],
      ],
      by('nodes', third),
    ),
  ),
  one(
    'a quorum of those of whom the policy says nothing else',
    'genuine',
    signed(bothNodes, by('witnesses', second), { nodes: [] }),
  ),
  one(
    'one node is enough for the policy',
    'genuine',
    signed([['association', first]], by('nodes', first), {
      lines: ['group others any inspector association university', 'quorum others'],
    }),
  ),
  one(
    'the quorum is one witness',
    'genuine',
    signed([['inspector', first]], by('nodes', first), { lines: ['quorum inspector'] }),
  ),
  one(
    'a group of groups',
    'genuine',
    signed([...nodeAndWitness, ['inspector', third]], by('witnesses', second), {
      lines: ['group nodes any inspector association', 'group both all nodes university', 'quorum both'],
    }),
  ),
  one('one of two is no quorum', 'unconfirmed', signed([['inspector', first]], nobody)),
  one('nobody signed', 'unconfirmed', signed([], nobody)),
  one(
    'two of three, but all are demanded',
    'unconfirmed',
    signed(bothNodes, nobody, {
      lines: ['group others all inspector association university', 'quorum others'],
    }),
  ),
  one(
    'a quorum of others than those that the policy demands',
    'unconfirmed',
    signed([['university', first]], nobody, {
      lines: ['group others any inspector association', 'quorum others'],
    }),
  ),
  one('a policy that demands nobody', 'genuine', signed(bothNodes, nobody, { lines: ['quorum none'] })),
  one('a policy of version 1 demands nobody', 'genuine', async (opened) => ({
    ...(await signed(bothNodes, nobody)(opened)),
    policy: policyOf(opened),
  })),
  one('held by nodes, test log', 'test', signed(bothNodes, by('nodes', second)), 'mill.example/ledger/test'),
]

const lies: readonly (() => Promise<Vector>)[] = [
  one(
    'a status that nodes refuse to sign, by a policy that is content with witnesses',
    'genuine',
    signed([['university', first]], by('witnesses', first), {
      lines: ['group others any inspector association university', 'quorum others'],
    }),
  ),
  one(
    'a status that nodes refuse to sign, by a policy that demands them',
    'unconfirmed',
    signed([['university', first]], nobody, {
      lines: ['group nodes any inspector association', 'quorum nodes'],
    }),
  ),
  one('withdrawn, and nobody signed', 'withdrawn', signed([], nobody, {}, withdrawal)),
  one('withdrawn, and held by nodes', 'withdrawn', signed(bothNodes, by('nodes', second), {}, withdrawal)),
  one('an issuer that nobody reviewed, and nobody signed', 'unknownIssuer', async (opened) => {
    const { log, certificate, identity } = opened
    return {
      bundle: await log.bundle(certificate, { identity }, at(50)),
      policy: policy2Of(opened),
      ...nobody,
    }
  }),
  one(
    'only the issuers of the policy, and nobody signed',
    'refused',
    signed([], nobody, { issuers: [{ did: didOfOwner(thief), name: 'Other' }], onlyKnownIssuers: true }),
  ),
  one('a test log, and nobody signed', 'test', signed([], nobody), 'mill.example/ledger/test'),
  one(
    'an old status, and nobody signed',
    'unconfirmed',
    signed([], { ...nobody, now: '2027-11-22T05:50:00.000Z' }),
  ),
  one('held by nodes, and altered', 'altered', async (opened) => {
    const { bundle, policy } = await signed(bothNodes, {})(opened)
    const { proof } = bundle as { readonly proof: string }
    return {
      bundle: {
        ...members(bundle),
        proof: proof.replace('millseal-time 2026', 'millseal-time 2027'),
      },
      policy,
    }
  }),
  one('a policy inside of the bundle', 'unchecked', async (opened) => {
    const { bundle, policy } = await signed(bothNodes, {})(opened)
    return { bundle: { ...members(bundle), policy }, policy: policy2Of(opened) }
  }),
  one('a policy of version 2 without logs', 'unchecked', async (opened) => ({
    ...(await after(opened)),
    policy: { policyVersion: 2 },
  })),
]

const aged = (
  name: string,
  verdict: string,
  now: string,
  ages: { readonly maxStatusAge: number; readonly maxStatusAgeDays?: number },
): (() => Promise<Vector>) => {
  const { maxStatusAge, ...asked } = ages
  return one(name, verdict, signed(bothNodes, { ...by('nodes', second), now, ...asked }, { maxStatusAge }))
}
const week = '2026-11-29T05:50:00.000Z'
const pastTheWeek = '2026-11-29T05:50:00.001Z'
const month = '2026-12-23T05:50:00.000Z'

const ages: readonly (() => Promise<Vector>)[] = [
  aged('the age that the policy accepts, exactly', 'genuine', week, { maxStatusAge: 7 }),
  aged('the age that the policy accepts, and a millisecond', 'oldStatus', pastTheWeek, { maxStatusAge: 7 }),
  aged('a policy that accepts more than is usual', 'genuine', month, { maxStatusAge: 31 }),
  aged('a reader who accepts less than the policy', 'oldStatus', month, {
    maxStatusAge: 90,
    maxStatusAgeDays: 30,
  }),
  aged('a reader who accepts more than the policy', 'oldStatus', pastTheWeek, {
    maxStatusAge: 7,
    maxStatusAgeDays: 90,
  }),
  aged('a policy that accepts no age, at once', 'genuine', at(50), { maxStatusAge: 0 }),
  aged('a policy that accepts no age, later', 'oldStatus', at(51), { maxStatusAge: 0 }),
]

export const confirmed: readonly (() => Promise<Vector>)[] = [...quorums, ...cosignatures, ...lies, ...ages]
