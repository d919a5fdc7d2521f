import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Certificate, Identity, Mode } from '@millseal/contract'
import { sampleCertificate } from '../../test/certificates.ts'
import { newApplication, newLiveOwner, newOwner, type Owner, tokenOf } from '../../test/machines.ts'
import { notarizeSample } from '../../test/offline.ts'
import { password, type Person, signUp } from '../../test/people.ts'
import { assertRefused, outcomesOf, refusal } from '../../test/refusal.ts'
import { endedNotarization, newIdentity } from '../../test/signers.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'
import { auditOf, eventsOf } from '../../test/traces.ts'

let server: TestServer
let mill: Owner
let other: Owner
let identities: Readonly<Record<Mode, Identity>>

before(async () => {
  server = await startOwnServer()
  mill = await newLiveOwner(server, 'replacing-mill')
  other = await newOwner(server, 'other-mill')
  identities = {
    test: await newIdentity(admin(), company()),
    live: await newIdentity(admin(), company(), 'live'),
  }
})
after(() => server[Symbol.asyncDispose]())

const admin = () => server.client(mill.admin.accessToken)
const company = () => mill.company.id
const reason = 'Corrected tensile strength'
const issue = (mode: Mode = 'test', certificate: object = sampleCertificate()) =>
  notarizeSample(admin(), { company: company(), identity: identities[mode], mode, certificate })

type Asked = {
  readonly mode?: Mode
  readonly certificate?: object
  readonly token?: string
  readonly more?: { readonly replaces?: string; readonly reason?: string; readonly own?: true }
  readonly idempotencyKey?: string
}
const replaceBy = (
  replaces: string,
  { mode = 'test', certificate = sampleCertificate(), token, more, idempotencyKey }: Asked = {},
) =>
  server.client(token ?? mill.admin.accessToken).notarizeCertificate({
    company: company(),
    query: { mode, identity: identities[mode].id, replaces, reason, ...more },
    document: new Blob([JSON.stringify(certificate)], { type: 'application/json' }),
    idempotencyKey,
  })
const read = (id: string) => admin().readCertificate({ company: company(), params: { id } })
const ended = (jobId: string | undefined): Promise<Certificate> =>
  endedNotarization(admin(), { company: company(), jobId })
const lifeOf = (id: string) => admin().readCertificateLife({ company: company(), params: { id } })
const countOf = async () =>
  (await admin().listCertificates({ company: company(), query: { mode: 'test', limit: 100 } })).length

describe('notarizing a certificate that replaces another one', () => {
  test('replaces it, tells of both, and mails each receiver once', async () => {
    const receiver = { email: 'both@customer.example' }
    const old = await issue('live', sampleCertificate({ receiver: { email: 'old@customer.example' } }))
    const oldToo = await issue('live', sampleCertificate({ receiver }))
    for (const { id } of [old, oldToo]) {
      const { jobId } = await replaceBy(id, { mode: 'live', certificate: sampleCertificate({ receiver }) })
      const done = await ended(jobId)
      assert.deepEqual([done.state, done.replaces], ['notarized', id])
      const replaced = await read(id)
      assert.equal(replaced.replacedBy, jobId)
      const [correction, ...more] = replaced.corrections ?? []
      assert.deepEqual(more, [])
      assert.deepEqual(
        [correction?.kind, correction?.by, correction?.reason, correction?.replacedBy],
        ['replaced', 'issuer', reason, done.transactionId],
      )
      const { replaces } = await lifeOf(done.id)
      assert.deepEqual(replaces, { id, reason, at: correction?.time })
      const events = (await eventsOf(server, company())).filter(
        ({ payload }) => (payload as { transactionId?: string }).transactionId === replaced.transactionId,
      )
      assert.deepEqual(
        events.map(({ topic }) => topic.split('/').at(-1)),
        ['replace_one'],
      )
      const [entry, ...others] = (await auditOf(server, company())).filter(
        ({ action, details }) =>
          action === 'certificates.replace' && (details as { replacedBy?: string }).replacedBy === done.id,
      )
      assert.deepEqual([entry?.actor, others], [`user:${mill.admin.id}`, []])
    }
    const [told = '', ...again] = await server.mailsTo('old@customer.example', 1, /was replaced/)
    assert.match(told, new RegExp(reason))
    assert.deepEqual(again, [])
    const mails = await server.mailsTo('both@customer.example', 3)
    assert.equal(mails.length, 3, 'the old one, and the two new ones')
    assert.equal(mails.filter((mail) => mail.includes('It replaces an earlier certificate')).length, 2)
    assert.equal(mails.filter((mail) => /was replaced/.test(mail)).length, 0)
  })

  test('is seen by everybody who verifies the old one', async () => {
    const old = await issue()
    const done = await ended((await replaceBy(old.id)).jobId)
    const document = new Blob([old.text], { type: 'application/json' })
    const seen = await server.client().verifyCertificate({ query: { mode: 'test' }, document })
    assert.equal(seen.verdict, 'replaced')
    assert.deepEqual(
      seen.corrections?.map((one) => one.replacedBy),
      [done.transactionId],
    )
  })

  test('answers a repeated request, before and after its end, and records once', async () => {
    const old = await issue()
    const certificate = sampleCertificate()
    const idempotencyKey = 'replace-only-once'
    const first = await replaceBy(old.id, { certificate, idempotencyKey })
    assert.equal((await replaceBy(old.id, { certificate, idempotencyKey })).jobId, first.jobId)
    const again = await replaceBy(old.id, { certificate })
    const done = await ended(first.jobId)
    assert.ok(again.jobId === first.jobId || again.transactionId === done.transactionId)
    assert.equal((await replaceBy(old.id, { certificate })).transactionId, done.transactionId)
    assert.equal((await read(old.id)).corrections?.length, 1)
  })

  test('is accepted once of five different ones at once', async () => {
    const old = await issue()
    const outcomes = await outcomesOf(Array.from({ length: 5 }, () => replaceBy(old.id)))
    assert.deepEqual(outcomes, { ok: 1, certificate_corrected: 4 })
  })

  test('of one that is withdrawn records who comes after it', async () => {
    const old = await issue()
    await admin().withdrawCertificate({
      company: company(),
      params: { id: old.id },
      body: { reason: 'Wrong' },
    })
    const { jobId } = await replaceBy(old.id)
    await ended(jobId)
    const { withdrawn, replacedBy } = await read(old.id)
    assert.deepEqual([withdrawn, replacedBy], [true, jobId])
  })
})

describe('a replacement that is refused', () => {
  const refusedAt = async (call: () => Promise<unknown>, at: RegExp) => {
    const earlier = await countOf()
    const { answer, code } = await refusal(call())
    assert.equal(code, 'validation_failed')
    assert.match(answer?.details.join() ?? '', at)
    assert.equal(await countOf(), earlier, 'nothing is left')
  }

  test('names what is wrong, and leaves nothing', async () => {
    const old = await issue()
    const live = await issue('live')
    const theirs = await notarizeSample(server.client(other.admin.accessToken), {
      company: other.company.id,
      identity: await newIdentity(server.client(other.admin.accessToken), other.company.id),
    })
    for (const id of [live.id, theirs.id, identities.test.id])
      await refusedAt(() => replaceBy(id), /^query\/replaces must be another certificate/)
    await refusedAt(() => replaceBy('no-uuid'), /^query\/replaces/)
    await refusedAt(() => replaceBy(old.id, { more: { reason: ' ' } }), /^query\/reason/)
    await refusedAt(() => replaceBy(old.id, { more: { own: true } }), /^query\/own/)
    assert.equal((await read(old.id)).corrections, undefined)
  })

  test('needs both what it replaces and why', async () => {
    const old = await issue()
    for (const query of [{ replaces: old.id }, { reason }]) {
      const call = () =>
        admin().notarizeCertificate({
          company: company(),
          query: { mode: 'test', identity: identities.test.id, ...query },
          document: new Blob([JSON.stringify(sampleCertificate())], { type: 'application/json' }),
        })
      const missing = 'reason' in query ? 'reason' : 'replaces'
      await refusedAt(call, new RegExp(`^query/${missing} goes only together with`))
    }
  })

  test('is one by a certificate that was submitted before, whatever became of it', async () => {
    const [old, next] = [await issue(), await issue()]
    const itself: object = JSON.parse(old.text)
    await refusedAt(() => replaceBy(old.id, { certificate: itself }), /^query\/replaces .*\/replace$/)
    const certificate: object = JSON.parse(next.text)
    await refusedAt(() => replaceBy(old.id, { certificate }), /^query\/replaces .*\/replace$/)
    assert.equal((await read(old.id)).corrections, undefined)
    const running = sampleCertificate()
    const { jobId } = await admin().notarizeCertificate({
      company: company(),
      query: { mode: 'test', identity: identities.test.id },
      document: new Blob([JSON.stringify(running)], { type: 'application/json' }),
    })
    await refusedAt(() => replaceBy(old.id, { certificate: running }), /^query\/replaces/)
    assert.equal((await ended(jobId)).replaces, undefined)
  })

  test('is one of a certificate that was replaced: its successor is named', async () => {
    const old = await issue()
    const { jobId = '' } = await replaceBy(old.id)
    for (const words of [/will replace it|replaces it/, /replaces it: replace that one/]) {
      const earlier = await countOf()
      const { code, answer } = await refusal(replaceBy(old.id))
      assert.equal(code, 'certificate_corrected')
      assert.match(answer?.details.join() ?? '', words)
      assert.match(answer?.details.join() ?? '', new RegExp(jobId))
      assert.equal(await countOf(), earlier)
      await ended(jobId)
    }
    await ended((await replaceBy(jobId)).jobId)
    assert.notEqual((await read(jobId)).replacedBy, undefined)
  })

  test('is one of a certificate whose key cannot sign any more', async () => {
    const identity = await admin().createIdentity({
      company: company(),
      query: { mode: 'test' },
      body: { coinType: 822, account: 1, wallet: identities.test.wallet },
    })
    const old = await notarizeSample(admin(), { company: company(), identity })
    await admin().revokeIdentity({
      company: company(),
      query: { mode: 'test' },
      params: { id: identity.id },
      body: { reason: 'Lost' },
    })
    const earlier = await countOf()
    await assertRefused(replaceBy(old.id), 'identity_not_usable')
    assert.equal(await countOf(), earlier)
  })

  test('is one by an application that may not replace, and in live mode by one factor', async () => {
    const old = await issue()
    const as = async (actions: readonly string[]) =>
      tokenOf(
        server,
        await newApplication(server, mill, { scopes: { certificates: { actions: [...actions] } } }),
      )
    const earlier = await countOf()
    await assertRefused(replaceBy(old.id, { token: await as(['notarize_one']) }), 'scope_missing')
    await assertRefused(replaceBy(old.id, { token: await as(['replace_one']) }), 'scope_missing')
    assert.equal(await countOf(), earlier)
    await ended((await replaceBy(old.id, { token: await as(['notarize_one', 'replace_one']) })).jobId)
    const live = await issue('live')
    const { username, email } = await signUp(server, 'one-factor')
    await admin().addMember({ params: { id: company() }, body: { email, role: 'clerk' } })
    const { accessToken: token } = await server.client().login({ body: { username, password } })
    await assertRefused(replaceBy(live.id, { mode: 'live', token }), 'mfa_required')
  })
})

describe('a replacement that waits for a release', () => {
  let approver: Person
  before(async () => {
    approver = await signUp(server, 'releasing')
    await admin().addMember({ params: { id: company() }, body: { email: approver.email, role: 'approver' } })
  })
  const decide = () => server.client(approver.accessToken)
  const waiting = async (id: string): Promise<string> => {
    const { jobId = '', state } = await replaceBy(id)
    assert.equal(state, 'awaitingRelease')
    assert.equal((await read(id)).replacedBy, undefined)
    return jobId
  }
  const demand = (fourEyes: 'off' | 'everyone') =>
    admin().updateCompany({ params: { id: company() }, body: { fourEyes } })
  const old = async () => {
    await demand('off')
    const one = await issue()
    await demand('everyone')
    return one
  }

  test('records both after it, and by whom it was wanted', async () => {
    const { id } = await old()
    const jobId = await waiting(id)
    await decide().releaseCertificate({ company: company(), params: { id: jobId } })
    assert.equal((await ended(jobId)).state, 'notarized')
    assert.equal((await read(id)).replacedBy, jobId)
    const entry = (await auditOf(server, company())).find(
      ({ action, details }) =>
        action === 'certificates.replace' && (details as { replacedBy?: string }).replacedBy === jobId,
    )
    assert.equal(entry?.actor, `user:${mill.admin.id}`)
  })

  test('leaves the old one valid if it is refused, and another one may replace it then', async () => {
    const { id } = await old()
    const jobId = await waiting(id)
    const params = { id: jobId }
    await decide().refuseCertificate({ company: company(), params, body: { reason: 'P is too high' } })
    assert.equal((await read(id)).corrections, undefined)
    const next = await waiting(id)
    await decide().releaseCertificate({ company: company(), params: { id: next } })
    await ended(next)
    assert.equal((await read(id)).replacedBy, next)
  })
})
