import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Certificate, CreateReview, Identity, ProofBundle, Verification } from '@millseal/contract'
import { type CertificateProcess, openCertificateProcess } from '../../../../test/certificate-service.ts'
import { eventually } from '../../../../test/eventually.ts'
import { newLiveOwner, newOwner, type Owner } from '../../../../test/machines.ts'
import { notarizeSample, openVerifier, publishIdentity } from '../../../../test/offline.ts'
import { type Person, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'

type Notarized = Certificate & { readonly text: string }
type Mill = { readonly owner: Owner; readonly identity: Identity }

let server: TestServer
let process: CertificateProcess
let operator: Person
before(async () => {
  server = await startOwnServer()
  process = await openCertificateProcess(server)
  operator = await signUpOperator(server)
})
after(async () => {
  await process[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const clientOf = ({ admin }: Owner) => server.client(admin.accessToken)

const openMill = async (username: string): Promise<Mill> => {
  const owner = await newLiveOwner(server, username)
  const company = owner.company.id
  const identity = await newIdentity(clientOf(owner), company, 'live')
  await publishIdentity(clientOf(owner), { company, identity, mode: 'live' })
  return { owner, identity }
}

const notarize = ({ owner, identity }: Mill): Promise<Notarized> =>
  notarizeSample(clientOf(owner), { company: owner.company.id, identity, mode: 'live' })

const review = ({ owner }: Mill, body: CreateReview) =>
  server.client(operator.accessToken).reviewCompany({ params: { id: owner.company.id }, body })

const verify = ({ text }: Notarized): Promise<Verification> =>
  server.client().verifyCertificate({
    query: { mode: 'live' },
    document: new Blob([text], { type: 'application/json' }),
  })

type Proof = { readonly bundle: ProofBundle; readonly words: string }

const proofOf = async ({ hash }: Notarized): Promise<Proof> => {
  let words = ''
  const onHeaders = (headers: Headers) => (words = headers.get('x-notes-text') ?? '')
  const bundle = await server
    .client()
    .readProof({ params: { hash: hash.value }, query: { mode: 'live' }, onHeaders })
  return { bundle, words }
}

/** The entries of the log that say that the review of this key ended. */
const endsOf = async ({ identity }: Mill): Promise<readonly Record<string, unknown>[]> => {
  const words = encodeURIComponent(`"withdraw-review ${identity.did}"`)
  const answer = await fetch(`${server.url}/ledger/live/api/v1/assets?search=${words}`)
  const found = (await answer.json()) as readonly { readonly data: Record<string, unknown> }[]
  return found.map(({ data }) => data)
}

const endOnLog = (mill: Mill): Promise<Record<string, unknown>> =>
  eventually(async () => (await endsOf(mill))[0], { what: 'the log says that the review ended' })

const minute = (time: string | undefined) => `${time?.slice(0, 16).replace('T', ' ')} UTC`

describe('a verified company that is rejected', () => {
  test('keeps what it recorded before genuine, with a remark; what came from then on has no known issuer', async () => {
    const mill = await openMill('ended-mill')
    const earlier = await notarize(mill)
    server.clock.advance({ seconds: 20 })
    const since = new Date(server.clock.now()).toISOString()
    server.clock.advance({ seconds: 20 })
    const later = await notarize(mill)
    assert.equal((await verify(later)).verdict, 'genuine')
    const [verified] = await clientOf(mill.owner).listReviews({ params: { id: mill.owner.company.id } })
    const { createdAt } = await review(mill, { decision: 'rejected', reason: 'Forged tests.', since })

    const early = await eventually(
      async () => {
        const answer = await verify(earlier)
        return answer.notes !== undefined && answer
      },
      { what: 'the end of the review is known' },
    )
    const values = { to: minute(since), at: minute(createdAt), reason: 'Forged tests' }
    const from = minute(verified?.createdAt)
    assert.equal(early.verdict, 'genuine')
    assert.deepEqual(early.notes, [{ code: 'review_taken_back', values: { from, ...values } }])
    const remark = `The company of its issuer was reviewed from ${from} to ${values.to}; the operator took the review back on ${values.at}: Forged tests.`
    assert.equal(early.message, remark)
    const late = await verify(later)
    assert.equal(late.verdict, 'unknownIssuer')
    assert.deepEqual(late.notes, [{ code: 'recorded_after_review', values }])

    const verifyOffline = await openVerifier(server)
    const [whole, partial] = [await proofOf(earlier), await proofOf(later)]
    assert.ok(whole.bundle.review)
    assert.ok(whole.words.includes(remark), 'page and command say the same')
    assert.equal(partial.bundle.review, undefined)
    assert.match(partial.words, /when the review of the company of its issuer had ended/)
    for (const [one, { bundle }, verdict] of [
      [earlier, whole, 'genuine'],
      [later, partial, 'unknownIssuer'],
    ] as const)
      assert.equal(verifyOffline({ kind: 'json', hash: one.hash.value }, bundle).verdict, verdict)
  })

  test('has the end of its review on the log, signed by the operator, once, and no new leaf of a certificate or key', async () => {
    const mill = await openMill('logged-mill')
    const certificate = await notarize(mill)
    const { review: recorded, status } = (await proofOf(certificate)).bundle
    const { createdAt } = await review(mill, { decision: 'rejected', reason: 'Fraud' })
    const entry = await endOnLog(mill)
    assert.deepEqual(entry, {
      type: 'withdraw-review',
      subject: `review ${mill.identity.did}`,
      review: recorded?.transaction.id,
      since: createdAt,
      reason: 'Fraud',
      by: 'operator',
    })
    const leaves = (all: ProofBundle['status']) =>
      all.map(({ subject, next, entries }) => [subject, next, entries])
    assert.deepEqual(leaves((await proofOf(certificate)).bundle.status), leaves(status))
    await review(mill, { decision: 'rejected', reason: 'Once more' })
    assert.equal((await endsOf(mill)).length, 1)
  })

  test('that is verified again is known for what it records from then on', async () => {
    const mill = await openMill('again-mill')
    await review(mill, { decision: 'rejected', reason: 'Expired extract' })
    await endOnLog(mill)
    server.clock.advance({ seconds: 60 })
    await verifyCompany(server, operator, mill.owner.company.id)
    const fresh = await notarize(mill)
    const answer = await eventually(
      async () => {
        const found = await verify(fresh)
        return found.verdict === 'genuine' && found
      },
      { what: 'the new review counts' },
    )
    assert.equal(answer.notes, undefined)
  })

  test('loses its keys in the same act if the operator wants so', async () => {
    const mill = await openMill('revoked-mill')
    const earlier = await notarize(mill)
    server.clock.advance({ seconds: 5 })
    const decision = await review(mill, {
      decision: 'rejected',
      reason: 'Stolen keys',
      revokeKeys: true,
    })
    assert.equal(decision.revokeKeys, true)
    const stored = await eventually(
      async () => {
        const row = await process.deps.database.query
          .selectFrom('identities')
          .select(['status', 'revokedSince'])
          .where('id', '=', mill.identity.id)
          .executeTakeFirstOrThrow()
        return row.status === 'revoked' && row
      },
      { what: 'its key is revoked' },
    )
    assert.equal(stored.revokedSince?.toISOString(), decision.createdAt)
    assert.equal((await verify(earlier)).verdict, 'genuine')
    const { corrections } = await eventually(
      async () => {
        const { bundle } = await proofOf(earlier)
        return bundle.corrections.length > 0 && bundle
      },
      { what: 'the revocation is on the log' },
    )
    assert.equal(corrections.length, 1)
  })
})

describe('a verified company that deletes itself', () => {
  test('does not keep its review: an operator still rejects it, once', async () => {
    const mill = await openMill('vanished-mill')
    server.clock.advance({ seconds: 20 })
    const since = new Date(server.clock.now()).toISOString()
    server.clock.advance({ seconds: 20 })
    const certificate = await notarize(mill)
    await clientOf(mill.owner).deleteCompany({ params: { id: mill.owner.company.id } })
    assert.equal((await verify(certificate)).verdict, 'genuine')

    const rejection = { decision: 'rejected', reason: 'Forged tests', since } as const
    assert.equal((await review(mill, rejection)).company, mill.owner.company.id)
    const answer = await eventually(
      async () => {
        const found = await verify(certificate)
        return found.verdict === 'unknownIssuer' && found
      },
      { what: 'the end of the review is known' },
    )
    assert.equal(answer.notes?.[0]?.code, 'recorded_after_review')
    assert.equal((await endOnLog(mill))['reason'], 'Forged tests')
    for (const body of [rejection, { decision: 'verified' } as const])
      await assertRefused(review(mill, body), 'not_found')
  })
})

describe('a rejection', () => {
  test('of a company that was never verified records nothing', async () => {
    const owner = await newOwner(server, 'never-verified')
    const identity = await newIdentity(clientOf(owner), owner.company.id)
    await publishIdentity(clientOf(owner), { company: owner.company.id, identity })
    const answer = await review({ owner, identity }, { decision: 'rejected', reason: 'Unknown' })
    assert.equal(answer.decision, 'rejected')
    assert.deepEqual(await endsOf({ owner, identity }), [])
  })

  test('is refused with a time in the future, and a verification with what belongs to rejections', async () => {
    const mill = await openMill('refused-mill')
    const since = new Date(server.clock.now() + 3_600_000).toISOString()
    for (const [body, reasons] of [
      [{ decision: 'rejected', reason: 'Fraud', since }, [/^\/since must not be in the future/]],
      [
        { decision: 'verified', since, revokeKeys: true },
        [/^\/since is only for a rejection/, /^\/revokeKeys is only for a rejection/],
      ],
    ] as const) {
      const { answer } = await refusal(review(mill, body))
      assert.equal(answer?.statusCode, 400)
      for (const [at, reason] of reasons.entries()) assert.match(answer?.details?.[at] ?? '', reason)
    }
  })
})
