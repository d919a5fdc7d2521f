import { type CorpusCase, after, at, identityOf, jsonHash, one, pdfHash, reviewOf } from './cases.fixture.ts'
import { record } from './log.fixture.ts'

/** What a review that was recorded at 05:20 says of its time. */
const times: readonly (readonly [reviewedAt: string, counts: boolean])[] = [
  [at(2), true],
  ['0000-02-29T00:00:00.000Z', true],
  ['0001-01-01T00:00:00.000Z', true],
  [at(20), true],
  ['2026-11-22T05:20:00.001Z', true],
  ['2026-11-22T05:21:00.000Z', true],
  ['2026-11-22T05:21:00.001Z', false],
  ['2026-11-22T05:22:00.000Z', false],
  ['2036-01-01T00:00:00.000Z', false],
  ['9999-12-31T23:59:59.999Z', false],
  ['+010000-01-01T00:00:00.000Z', false],
  ['10000-01-01T00:00:00.000Z', false],
  ['', false],
  ['yesterday', false],
  ['2026-11-22', false],
  ['2026-11-22T05:02:00Z', false],
  ['2026-11-22T05:02:00.00Z', false],
  ['2026-11-22T05:02:00.0000Z', false],
  ['2026-11-22T05:02:00,000Z', false],
  ['2026-11-22t05:02:00.000z', false],
  ['2026-11-22 05:02:00.000Z', false],
  ['2026-11-22T05:02:00.000+00:00', false],
  ['2026-11-22T05:02:00.000', false],
  [' 2026-11-22T05:02:00.000Z', false],
  ['2026-11-22T05:02:00.000Z\n', false],
  ['2026-11-21T24:00:00.000Z', false],
  ['2025-06-30T23:59:60.000Z', false],
  ['2026-02-29T05:02:00.000Z', false],
  ['2026-13-01T05:02:00.000Z', false],
  ['0000-00-00T00:00:00.000Z', false],
  ['2026-11-22T05:02:0\u0660.000Z', false],
]

const datedCases = times.map(([reviewedAt, counts]) =>
  one(
    `a review whose reviewedAt is ${JSON.stringify(reviewedAt)}`,
    counts ? 'genuine' : 'unknownIssuer',
    async ({ log, certificate, identity }) => {
      const review = log.add(reviewOf(log.operator, undefined, { reviewedAt }), at(20))
      return { bundle: await log.bundle(certificate, { identity, review }, at(50)) }
    },
  ),
)

/** The last two minutes that a time can be in, where arithmetic could leave the four digits of a year. */
const lastReview = one(
  'a review at the end of the year 9999',
  'genuine',
  async ({ log, certificate, identity }) => {
    const end = '9999-12-31T23:59:59.999Z'
    const review = log.add(reviewOf(log.operator, undefined, { reviewedAt: end }), end)
    return { bundle: await log.bundle(certificate, { identity, review }, end) }
  },
)

const ownReview = one('an operator that reviewed itself', 'genuine', async ({ log }) => {
  const { operator } = log
  const identity = log.add(identityOf(operator), at(20))
  const review = log.add(reviewOf(operator, operator), at(20))
  const certificate = log.add(record(operator, { jsonHash, pdfHash }), at(21))
  return { bundle: await log.bundle(certificate, { identity, review }, at(50)) }
})

/** The policy decides before the review does. */
const unneeded = one('a review of no time of an issuer of the policy', 'refused', async (opened) => {
  const { log, certificate, identity } = opened
  const review = log.add(reviewOf(log.operator, undefined, { reviewedAt: '' }), at(20))
  const bundle = await log.bundle(certificate, { identity, review }, at(50))
  return { ...(await after(opened)), bundle, policy: { logs: [log.vkey], onlyKnownIssuers: true } }
})

export const reviewCases = (): Promise<CorpusCase[]> =>
  Promise.all([...datedCases, lastReview, ownReview, unneeded].map((make) => make()))
