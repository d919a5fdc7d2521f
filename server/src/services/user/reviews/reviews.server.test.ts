import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { randomUUID } from 'node:crypto'
import type { Company, CreateReview } from '@millseal/contract'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import {
  enableMfa,
  foundCompany,
  type Person,
  signUp,
  signUpOperator,
  verifyCompany,
} from '../../../../test/people.ts'
import { freshVatId } from '../../../../test/vat-ids.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'
import { auditOf, eventsAbout } from '../../../../test/traces.ts'
import {
  answerJson,
  type FakeVies,
  startFakeVies,
  verdict,
} from '../../../adapters/vat-registry/fake-vies.suite.ts'

let vies: FakeVies
let server: TestServer
let founder: Person
let operator: Person
before(async () => {
  vies = await startFakeVies()
  server = await startOwnServer({ environment: { MILLSEAL_VIES: vies.url } })
  founder = await signUp(server, 'founder')
  operator = await signUpOperator(server)
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await vies[Symbol.asyncDispose]()
})

const as = (person: Pick<Person, 'accessToken'>) => server.client(person.accessToken)
/** Each with its own name: another mill of the same name is verified only by a further act. */
const foundOne = (vatId = freshVatId()) => foundCompany(server, founder, { name: `Mill ${vatId}`, vatId })
const review = ({ id }: Company, body: CreateReview, by = operator) =>
  as(by).reviewCompany({ params: { id }, body })
const isVerified = async ({ id }: Company) => (await as(founder).readCompany({ params: { id } })).verified

describe('reviewing a company', () => {
  test('verifies the company and stores the answer of the register', async () => {
    const company = await foundOne()
    vies.behave((response, question) =>
      answerJson(
        response,
        verdict(question, true, { name: 'ROLLING MILL GMBH', address: 'Ofenweg 1\n4020 Linz' }),
      ),
    )
    server.clock.advance({ minutes: 1 })
    const atMs = server.clock.now()
    const decided = await review(company, { decision: 'verified', reason: 'Called them' })
    const { checkedAt = '', ...evidence } = decided.evidence
    assert.deepEqual(evidence, {
      vatId: company.vatId,
      format: 'valid',
      checkDigits: 'valid',
      register: 'valid',
      registeredName: 'ROLLING MILL GMBH',
      registeredAddress: 'Ofenweg 1\n4020 Linz',
    })
    assert.ok(Date.parse(checkedAt) >= atMs && Date.parse(checkedAt) <= server.clock.now())
    assert.deepEqual(decided.reviewer, { id: operator.id, username: operator.username })
    assert.equal(decided.company, company.id)
    assert.equal(decided.reason, 'Called them')
    assert.equal(await isVerified(company), true)
    assert.deepEqual(await as(founder).listReviews({ params: { id: company.id } }), [decided])
    assert.deepEqual(await as(operator).listReviews({ params: { id: company.id } }), [decided])
  })

  test('queries the register for each review, and lists all reviews, newest first', async () => {
    const company = await foundOne()
    vies.behave((response, question) => answerJson(response, verdict(question, true)))
    const first = await review(company, { decision: 'verified' })
    vies.behave((response, question) => answerJson(response, verdict(question, false)))
    const second = await review(company, { decision: 'rejected', reason: 'Deregistered' })
    assert.deepEqual([first.evidence.register, second.evidence.register], ['valid', 'invalid'])
    assert.equal(await isVerified(company), false)
    const third = await review(company, { decision: 'verified', reason: 'Proved otherwise' })
    assert.equal(await isVerified(company), true)
    const params = { id: company.id }
    assert.deepEqual(await as(founder).listReviews({ params }), [third, second, first])
    assert.deepEqual(await as(founder).listReviews({ params, query: { limit: 1, after: third.id } }), [
      second,
    ])
  })

  test('mails only the admins of the company, with the reason of a rejection', async () => {
    const [owner, admin, member] = [
      await signUp(server, 'mailed-owner'),
      await signUp(server, 'second-admin'),
      await signUp(server, 'mere-member'),
    ]
    const company = await foundCompany(server, owner, { name: 'Mailed Mill', vatId: 'IT00743110157' })
    const params = { id: company.id }
    await as(owner).addMember({ params, body: { email: admin.email, role: 'admin' } })
    await as(owner).addMember({ params, body: { email: member.email, role: 'operator' } })
    await review(company, { decision: 'rejected', reason: 'No such mill' })
    await review(company, { decision: 'verified' })
    for (const { email } of [owner, admin]) {
      const mails = await server.mailsTo(email, 3)
      assert.equal(mails.length, 3, 'one for the registration and one for each review')
      const rejection = mails.find((mail) => mail.includes('Your company was not verified')) ?? ''
      assert.match(rejection, /^Subject: Your company was not verified: Mailed Mill$/m)
      assert.match(rejection, /^Reason +No such mill$/m)
      assert.ok(mails.some((mail) => mail.includes('\nSubject: Your company is verified: Mailed Mill')))
    }
    assert.equal((await server.mailsTo(member.email, 1)).length, 1, 'only the one for the registration')
  })

  test('writes events for the company and its members, and an audit entry with the evidence', async () => {
    const company = await foundOne()
    const decided = await review(company, { decision: 'verified' })
    const events = await eventsAbout(server, company.id)
    assert.deepEqual(
      events.map(({ topic }) => topic).toSorted(),
      [`company/${company.id}`, `user/${founder.id}`].map((owner) => `${owner}/live/companies/update_one`),
    )
    const read = await as(founder).readCompany({ params: { id: company.id } })
    for (const { payload } of events) assert.deepEqual(payload, read)
    assert.deepEqual((await auditOf(server, company.id)).at(-1), {
      actor: `user:${operator.id}`,
      action: 'companies.review',
      details: { review: decided.id, decision: 'verified', evidence: decided.evidence, wasVerified: false },
    })
  })

  test('requires a reason for a rejection, and a company that exists', async () => {
    const company = await foundOne()
    for (const reason of [undefined, '', '  ']) {
      const { status, answer } = await refusal(review(company, { decision: 'rejected', reason }))
      assert.equal(status, 400)
      assert.match(answer?.details.join() ?? '', /\/reason/)
    }
    await assertRefused(review({ ...company, id: randomUUID() }, { decision: 'verified' }), 'not_found')
    assert.deepEqual(await as(founder).listReviews({ params: { id: company.id } }), [])
  })

  test('rejects a reviewer who belongs to the company', async () => {
    const company = await foundCompany(server, operator)
    const { status, answer } = await refusal(review(company, { decision: 'verified' }))
    assert.equal(status, 403)
    assert.match(answer?.details.join() ?? '', /belong/)
    await verifyCompany(server, await signUpOperator(server), company.id)
  })

  test('creates one review per Idempotency-Key', async () => {
    const company = await foundOne()
    const params = { id: company.id }
    const call = { params, body: { decision: 'verified' }, idempotencyKey: 'review-once-only-1' } as const
    const first = await as(operator).reviewCompany(call)
    assert.deepEqual(await as(operator).reviewCompany(call), first)
    assert.equal((await as(founder).listReviews({ params })).length, 1)
  })
})

describe('evidence that cannot be determined is unknown', () => {
  test('a failing register does not prevent a review', async () => {
    const company = await foundOne()
    vies.behave((response) => response.destroy())
    const failed = await review(company, { decision: 'rejected', reason: 'Later' })
    assert.equal(failed.evidence.register, 'unknown')
    assert.ok(failed.evidence.checkedAt, 'the attempt was made at some time')
    vies.behave((response) => answerJson(response, { errorWrappers: [{ error: 'MS_UNAVAILABLE' }] }))
    assert.equal((await review(company, { decision: 'verified' })).evidence.register, 'unknown')
  })

  test('a register that does not answer does not prevent a review; an aborted call stores nothing', async () => {
    const company = await foundOne()
    const reached = Promise.withResolvers<void>()
    vies.behave(() => reached.resolve())
    const impatience = new AbortController()
    const abandoned = as(operator).reviewCompany({
      params: { id: company.id },
      body: { decision: 'verified' },
      signal: impatience.signal,
    })
    await reached.promise
    impatience.abort()
    await assert.rejects(abandoned, { name: 'AbortError' })
    const decided = await review(company, { decision: 'rejected', reason: 'Nobody answered' })
    assert.equal(decided.evidence.register, 'unknown')
    assert.deepEqual(await as(founder).listReviews({ params: { id: company.id } }), [decided])
  })

  test('a country without known rules has no evidence, and no register is queried', async () => {
    const asked = vies.questions.length
    const company = await foundOne(`US${freshVatId().slice(3)}`)
    const { evidence } = await review(company, {
      decision: 'verified',
      reason: 'Saw the articles of association',
    })
    assert.deepEqual(evidence, {
      vatId: company.vatId,
      format: 'unknown',
      checkDigits: 'unknown',
      register: 'unknown',
    })
    assert.equal(vies.questions.length, asked)
  })
})

describe('MFA of operators', () => {
  test('is required for a review if MILLSEAL_OPERATOR_MFA is on', async () => {
    const strict = await startOwnServer({ environment: { MILLSEAL_OPERATOR_MFA: 'on' } })
    try {
      const person = await signUp(strict, 'founder')
      const company = await foundCompany(strict, person)
      const unprotected = await signUpOperator(strict)
      await assertRefused(verifyCompany(strict, unprotected, company.id), 'mfa_required')
      assert.match((await refusal(verifyCompany(strict, unprotected, company.id))).message, /MFA/)
      await enableMfa(strict, unprotected)
      assert.equal((await verifyCompany(strict, unprotected, company.id)).evidence.register, 'unknown')
    } finally {
      await strict[Symbol.asyncDispose]()
    }
  })

  test('is on by default', async () => {
    const { readConfig } = await import('../../../config.ts')
    assert.equal(readConfig({}).operatorMfa, true)
    assert.equal(readConfig({}).vies, 'on')
    assert.throws(
      () => readConfig({ MILLSEAL_OPERATOR_MFA: 'no' }),
      /MILLSEAL_OPERATOR_MFA: expected on or off/,
    )
    assert.throws(() => readConfig({ MILLSEAL_VIES: 'ftp://x' }), /MILLSEAL_VIES: expected on, off, or a URL/)
  })
})
