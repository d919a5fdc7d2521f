import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FourEyes, Identity, MemberRole, Mode } from '@millseal/contract'
import { sampleCertificate } from '../../test/certificates.ts'
import { everyScope, newApplication, newLiveOwner, type Owner, tokenOf } from '../../test/machines.ts'
import { enableMfa, password, type Person, signUp, signUpOperator, verifyCompany } from '../../test/people.ts'
import { assertRefused, outcomesOf } from '../../test/refusal.ts'
import { endedNotarization, newIdentity } from '../../test/signers.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'
import { auditOf, eventsOf } from '../../test/traces.ts'

let server: TestServer
let mill: Owner
let clerk: Person
let approver: Person
let second: Person
let identities: Readonly<Record<Mode, Identity>>

before(async () => {
  server = await startOwnServer()
  mill = await newLiveOwner(server, 'works')
  clerk = await join('clerk', 'clerk')
  approver = await join('approver', 'approver')
  second = await join('second', 'approver')
  identities = {
    test: await newIdentity(admin(), company()),
    live: await newIdentity(admin(), company(), 'live'),
  }
  await demand('people')
})
after(() => server[Symbol.asyncDispose]())

const company = () => mill.company.id
const as = ({ accessToken }: Pick<Person, 'accessToken'>) => server.client(accessToken)
const admin = () => as(mill.admin)
const demand = (fourEyes: FourEyes) =>
  admin().updateCompany({ params: { id: company() }, body: { fourEyes } })

/** A member with two factors. */
const join = async (username: string, role: MemberRole): Promise<Person> => {
  const person = await signUp(server, username)
  await admin().addMember({ params: { id: company() }, body: { email: person.email, role } })
  const code = (await enableMfa(server, person))()
  return {
    ...person,
    ...(await server.client().login({ body: { username: person.username, password, code } })),
  }
}

const submit = (
  by: Pick<Person, 'accessToken'> = clerk,
  { mode = 'test', certificate = sampleCertificate() }: { mode?: Mode; certificate?: object } = {},
) =>
  as(by).notarizeCertificate({
    company: company(),
    query: { mode, identity: identities[mode].id },
    document: new Blob([JSON.stringify(certificate)], { type: 'application/json' }),
  })

const waiting = async (...given: Parameters<typeof submit>): Promise<string> => {
  const { jobId, state } = await submit(...given)
  assert.equal(state, 'awaitingRelease')
  return jobId ?? assert.fail('no job')
}
const call = (id: string) => ({ company: company(), params: { id } })
const release = (id: string, by: Pick<Person, 'accessToken'> = approver) =>
  as(by).releaseCertificate(call(id))
const refuse = (id: string, by: Pick<Person, 'accessToken'> = approver, reason = 'P is above its maximum') =>
  as(by).refuseCertificate({ ...call(id), body: { reason } })
const ended = (id: string) => endedNotarization(admin(), { company: company(), jobId: id })
const stateOf = async (id: string) => (await admin().readCertificate(call(id))).state
const actionsOn = async (id: string) =>
  (await auditOf(server, company())).filter(({ details }) => (details as { hash?: string }).hash === id)

describe('a company that demands a release', () => {
  test('answers with a job that waits, and signs, records and mails nothing before it is released', async () => {
    for (const mode of ['test', 'live'] as const) {
      const certificate = sampleCertificate({ receiver: { email: `buyer-${mode}@customer.example` } })
      const id = await waiting(clerk, { mode, certificate })
      const read = await admin().readCertificate(call(id))
      assert.deepEqual(
        [read.state, read.transactionId, read.pdfHash, read.mails],
        ['awaitingRelease', undefined, undefined, undefined],
      )
      await assertRefused(admin().readCertificatePdf(call(id)), 'certificate_pending')
      const released = await release(id)
      assert.deepEqual([released.release?.decision, released.release?.by], ['released', approver.id])
      assert.equal((await ended(id)).state, 'notarized')
      const { accepted, release: step } = await admin().readCertificateLife(call(id))
      assert.deepEqual([accepted.by?.name, step?.name], [clerk.username, approver.username])
    }
    await server.mailsTo('buyer-live@customer.example', 1)
  })

  test('repeats the answer for the same certificate, and lists and counts what waits', async () => {
    const certificate = sampleCertificate()
    const id = await waiting(clerk, { certificate })
    assert.equal(await waiting(clerk, { certificate }), id)
    const query = { mode: 'test', state: 'awaitingRelease' } as const
    const listed = await as(approver).listCertificates({ company: company(), query })
    assert.ok(listed.some((one) => one.id === id))
    const counts = await as(approver).countCertificates({ company: company(), query: { mode: 'test' } })
    assert.equal(counts.awaitingRelease.count, listed.length)
    assert.deepEqual(JSON.parse(await (await as(approver).readCertificateJson(call(id))).text()), certificate)
  })

  test('lets nobody release their own, whatever their role, and nobody below an approver release any', async () => {
    for (const person of [approver, mill.admin]) {
      const id = await waiting(person)
      await assertRefused(release(id, person), 'release_own')
      await assertRefused(release(id, clerk), 'member_role_missing')
      assert.equal(await stateOf(id), 'awaitingRelease')
      await release(id, second)
    }
    const machine = {
      accessToken: await tokenOf(server, await newApplication(server, mill, { scopes: everyScope })),
    }
    await assertRefused(release(await waiting(), machine), 'person_required')
  })

  test('counts the first of two decisions, of approvers at the same time as well; repeating one changes nothing', async () => {
    const id = await waiting()
    const outcomes = await outcomesOf([release(id, approver), release(id, second), release(id, mill.admin)])
    assert.deepEqual(outcomes, { ok: 3 })
    const certificate = await ended(id)
    const audited = await actionsOn(certificate.hash.value)
    assert.deepEqual(audited.map(({ action }) => action).toSorted(), [
      'certificates.notarize',
      'certificates.release',
    ])
    await assertRefused(refuse(id), 'release_decided')
    const other = await waiting()
    const mixed = await outcomesOf([release(other, approver), refuse(other, second)])
    assert.deepEqual(mixed, { ok: 1, release_decided: 1 })
  })

  test('says why a release was refused, by mail and in the history; the same certificate can then be submitted again', async () => {
    const certificate = sampleCertificate({ receiver: { email: 'never@customer.example' } })
    const id = await waiting(clerk, { mode: 'live', certificate })
    const refused = await refuse(id, approver, 'Order-4711 has another heat')
    assert.deepEqual([refused.state, refused.release?.decision], ['failed', 'refused'])
    assert.match(refused.error ?? '', /approver\S* refused the release: Order-4711 has another heat/)
    assert.deepEqual(await refuse(id, second), refused)
    await assertRefused(release(id, second), 'release_decided')
    await server.mailsTo(clerk.email, 1, /Order-4711/)
    assert.notEqual(await waiting(clerk, { mode: 'live', certificate }), id)
    assert.equal(
      (await eventsOf(server, company())).some(({ payload }) =>
        JSON.stringify(payload).includes('never@customer'),
      ),
      false,
    )
  })

  test('lets a clerk take back their own and nothing of others', async () => {
    const [own, foreign] = [await waiting(), await waiting(second)]
    assert.match((await refuse(own, clerk, 'Wrong file')).error ?? '', /took it back: Wrong file/)
    await assertRefused(refuse(foreign, clerk), 'member_role_missing')
    assert.equal(await stateOf(foreign), 'awaitingRelease')
  })

  test('exempts applications unless it says otherwise; then an approver releases theirs, and no admin', async () => {
    const machine = {
      accessToken: await tokenOf(server, await newApplication(server, mill, { scopes: everyScope })),
    }
    assert.equal((await submit(machine)).state, 'accepted')
    await demand('everyone')
    const id = await waiting(machine)
    await assertRefused(release(id, mill.admin), 'release_own')
    await release(id, approver)
    assert.equal((await ended(id)).state, 'notarized')
    await demand('people')
  })

  test('keeps what waits when the rule ends, members leave or change roles, or the review ends', async () => {
    const leaver = await join('leaver', 'clerk')
    const [trial, live] = [await waiting(leaver), await waiting(leaver, { mode: 'live' })]
    const params = { id: company(), userId: leaver.id }
    await admin().updateMember({ params, body: { role: 'approver' } })
    await assertRefused(release(trial, leaver), 'release_own')
    await admin().removeMember({ params })
    await demand('off')
    assert.equal((await submit()).state, 'accepted')
    assert.deepEqual([await stateOf(trial), await stateOf(live)], ['awaitingRelease', 'awaitingRelease'])
    await release(trial)
    assert.equal((await ended(trial)).state, 'notarized')
    await release(live, mill.admin)
    assert.equal((await ended(live)).state, 'notarized')
    await demand('people')
  })

  test('keeps what waits in live mode while the company is not verified', async () => {
    const id = await waiting(clerk, { mode: 'live' })
    const operator = await signUpOperator(server)
    const params = { id: company() }
    await as(operator).reviewCompany({ params, body: { decision: 'rejected', reason: 'The VAT id expired' } })
    await assertRefused(release(id), 'company_unverified')
    assert.equal(await stateOf(id), 'awaitingRelease')
    await verifyCompany(server, operator, company())
    await release(id)
    assert.equal((await ended(id)).state, 'notarized')
  })
})

describe('the rule itself', () => {
  test('is loosened only by a person with two factors, and mailed to everybody who may release', async () => {
    const machine = {
      accessToken: await tokenOf(server, await newApplication(server, mill, { scopes: everyScope })),
    }
    const params = { id: company() }
    await assertRefused(as(machine).updateCompany({ params, body: { fourEyes: 'off' } }), 'person_required')
    await assertRefused(
      as(approver).updateCompany({ params, body: { fourEyes: 'off' } }),
      'member_role_missing',
    )
    const oneFactor = await server
      .client()
      .login({ body: { username: mill.admin.username, password } })
      .catch(() => undefined)
    assert.equal(oneFactor, undefined, 'who has two factors signs in with both')
    await demand('off')
    for (const { email } of [mill.admin, approver, second]) await server.mailsTo(email, 1, /Weniger/)
    assert.deepEqual(await server.mailsTo(clerk.email, 0, /Weniger/), [])
    const changed = (await auditOf(server, company())).findLast(({ action }) => action === 'companies.update')
    assert.match(JSON.stringify(changed?.details), /"fourEyes":"off"/)
  })

  test('is not loosened in a session with one factor', async () => {
    const owner = await signUp(server, 'single')
    const own = await as(owner).createCompany({
      body: {
        name: 'Single Factor Works',
        vatId: 'ATU00000024',
        address: { country: 'AT', street: 'Weg 1', city: 'Linz', zipCode: '4020' },
      },
    })
    const params = { id: own.id }
    await as(owner).updateCompany({ params, body: { fourEyes: 'everyone' } })
    await assertRefused(as(owner).updateCompany({ params, body: { fourEyes: 'people' } }), 'mfa_required')
    assert.equal((await as(owner).readCompany({ params })).fourEyes, 'everyone')
  })
})
