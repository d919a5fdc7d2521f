import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Certificate, Identity, Mode, Verification } from '@millseal/contract'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { type CertificateProcess, openCertificateProcess } from '../../../../test/certificate-service.ts'
import { newApplication, newLiveOwner, newOwner, type Owner, tokenOf } from '../../../../test/machines.ts'
import { notarizeSample, openVerifier, publishIdentity } from '../../../../test/offline.ts'
import { type Person, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { assertRefused, outcomesOf, refusal } from '../../../../test/refusal.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { auditOf, eventsOf } from '../../../../test/traces.ts'
import { codeOf } from '../hashing/code.ts'
import { eraseBodies } from '../certificates/certificates.store.ts'

type Notarized = Certificate & { readonly text: string }

let server: TestServer
let process: CertificateProcess
let operator: Person
let mill: Owner
let receiver: Owner
let identity: Identity
let live: Identity

before(async () => {
  server = await startTestServer()
  process = await openCertificateProcess(server)
  operator = await signUpOperator(server)
  mill = await newLiveOwner(server, 'correcting-mill')
  receiver = await newOwner(server, 'receiving-works')
  await verifyCompany(server, operator, receiver.company.id)
  identity = await newIdentity(client(), mill.company.id)
  await publishIdentity(client(), { company: mill.company.id, identity })
  live = await newIdentity(client(), mill.company.id, 'live')
})
after(async () => {
  await process[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const client = () => server.client(mill.admin.accessToken)
const company = () => mill.company.id

const notarize = (email?: string, mode: Mode = 'test', by: Identity = identity): Promise<Notarized> =>
  notarizeSample(client(), {
    company: company(),
    identity: by,
    mode,
    certificate: sampleCertificate({
      receiver: { vatId: receiver.company.vatId, ...(email === undefined ? {} : { email }) },
    }),
  })

const verify = ({ text, mode }: Notarized): Promise<Verification> => {
  const document = new Blob([text], { type: 'application/json' })
  return server.client().verifyCertificate({ query: { mode }, document })
}

const withdraw = (id: string, reason = 'Wrong heat number', token = mill.admin.accessToken) =>
  server.client(token).withdrawCertificate({ company: company(), params: { id }, body: { reason } })

const replace = (id: string, replacedBy: string) =>
  client().replaceCertificate({
    company: company(),
    params: { id },
    body: { replacedBy, reason: 'Corrected values' },
  })

const correctionEvents = async (companyId: string, transactionId: string | undefined) =>
  (await eventsOf(server, companyId)).filter(
    ({ topic, payload }) =>
      /certificates\/(withdraw|replace)_one$/.test(topic) &&
      (payload as { transactionId?: string }).transactionId === transactionId,
  )

describe('withdrawing a certificate', () => {
  test('is recorded, seen by everybody who verifies, online and offline, and has effect once', async () => {
    const one = await notarize()
    assert.equal((await verify(one)).answers?.status, 'yes')
    const answer = await withdraw(one.id)
    assert.equal(answer.withdrawn, true)
    const [correction] = answer.corrections ?? []
    assert.equal(correction?.kind, 'withdrawn')
    assert.equal(correction.by, 'issuer')
    const again = await withdraw(one.id, 'Another reason')
    assert.deepEqual(again, answer)
    const { mails: _mails, ...read } = await client().readCertificate({
      company: company(),
      params: { id: one.id },
    })
    assert.deepEqual(read, answer)
    const listed = await client().listCertificates({ company: company(), query: { mode: 'test' } })
    const found = listed.find(({ id }) => id === one.id)
    assert.deepEqual(found, answer)
    const online = await verify(one)
    assert.equal(online.isValid, true, 'unchanged and recorded, as before')
    assert.equal(online.verdict, 'withdrawn')
    assert.deepEqual(
      online.corrections?.map(({ reason, transactionId }) => [reason, transactionId]),
      [['Wrong heat number', correction.transactionId]],
    )
    const hash = one.hash.value
    const bundle = await server.client().readProof({ params: { hash }, query: { mode: 'test' } })
    assert.equal(bundle.corrections.length, 1, 'the second call recorded nothing')
    const verifyOffline = await openVerifier(server)
    assert.equal(verifyOffline({ kind: 'json', hash }, bundle).verdict, 'withdrawn')
    const [entry, ...more] = (await auditOf(server, company())).filter(
      ({ action }) => action === 'certificates.withdraw',
    )
    assert.equal((entry?.details as { reason?: string } | undefined)?.reason, 'Wrong heat number')
    assert.deepEqual(more, [])
  })

  test('keeps its files from being mailed again, as replacing it does', async () => {
    const [old, next] = [await notarize(), await notarize()]
    await replace(old.id, next.id)
    await withdraw(next.id)
    for (const { id } of [old, next])
      await assertRefused(
        client().mailCertificateAgain({ company: company(), params: { id } }),
        'certificate_corrected',
      )
  })

  test('ten times at once records one correction', async () => {
    const one = await notarize()
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => withdraw(one.id, `Reason ${n}`)))
    assert.equal(new Set(answers.map(({ corrections }) => corrections?.[0]?.transactionId)).size, 1)
    const hash = one.hash.value
    const bundle = await server.client().readProof({ params: { hash }, query: { mode: 'test' } })
    assert.equal(bundle.corrections.length, 1)
    assert.equal((await correctionEvents(company(), one.transactionId)).length, 1)
  })

  test('sends events to issuer and receiver, and mails to everybody who got the certificate', async () => {
    const email = 'inspection@receiving-works.example'
    const one = await notarize(email, 'live', live)
    await withdraw(one.id, 'Tensile strength of another heat')
    for (const id of [company(), receiver.company.id]) {
      const [event, ...more] = await correctionEvents(id, one.transactionId)
      assert.ok(event, id)
      assert.ok(event.topic.endsWith('/live/certificates/withdraw_one'), id)
      assert.deepEqual(more, [])
      const { correction, hash } = event.payload as {
        correction: { reason: string; kind: string }
        hash: string
      }
      assert.deepEqual(
        [correction.kind, correction.reason, hash],
        ['withdrawn', 'Tensile strength of another heat', one.hash.value],
      )
    }
    const [mail = ''] = await server.mailsTo(email, 1, /withdrawn/)
    assert.doesNotMatch(mail, /\[TEST\]/)
    assert.match(mail, /^Subject: Certificate \S+ was withdrawn \(Rolling Mill\)/m)
    const reasons = mail.split('<html')[0]?.match(/Tensile strength of another heat/g)
    assert.equal(reasons?.length, 1, 'once, though the mail is in two languages')
    assert.match(mail, /\/v\/[\w-]{22}/)
    await server.mailsTo(receiver.admin.email, 1, /withdrawn/)
  })

  test('mails only members of the issuer in test mode', async () => {
    const one = await notarize('inspection@receiving-works.example')
    await withdraw(one.id, 'Only a trial')
    const [mail = ''] = await server.mailsTo(mill.admin.email, 1, /Only a trial/)
    assert.match(mail, /\[TEST\]/)
    for (const address of ['inspection@receiving-works.example', receiver.admin.email])
      assert.deepEqual(await server.mailsTo(address, 0, /Only a trial/), [])
  })

  test('reaches the companies even after the body is erased', async () => {
    const one = await notarize('erased@receiving-works.example', 'live', live)
    const { database } = process.deps
    const { retainedUntil = '' } = one
    await eraseBodies(database.query, new Date(Date.parse(retainedUntil) + 1))
    await withdraw(one.id, 'Found at an audit')
    assert.equal((await correctionEvents(receiver.company.id, one.transactionId)).length, 1)
    await server.mailsTo(receiver.admin.email, 1, /Found at an audit/)
  })

  test('is refused for certificates of others, unknown ones, and without a reason', async () => {
    const one = await notarize()
    const stranger = server.client(receiver.admin.accessToken)
    const body = { reason: 'Not ours' }
    await assertRefused(
      stranger.withdrawCertificate({ company: receiver.company.id, params: { id: one.id }, body }),
      'not_found',
    )
    await assertRefused(withdraw(identity.id), 'not_found')
    await assertRefused(withdraw(one.id, ' '), 'validation_failed')
    await assertRefused(withdraw(one.id, 'x'.repeat(501)), 'validation_failed')
    assert.equal((await verify(one)).corrections?.length, 0)
  })

  test('needs a scope of its own from applications', async () => {
    const one = await notarize()
    const as = async (actions: readonly string[]) =>
      tokenOf(
        server,
        await newApplication(server, mill, { scopes: { certificates: { actions: [...actions] } } }),
      )
    await assertRefused(withdraw(one.id, 'x', await as(['notarize_one', 'read_one'])), 'scope_missing')
    assert.equal((await withdraw(one.id, 'By the ERP', await as(['withdraw_one']))).withdrawn, true)
  })
})

describe('replacing a certificate', () => {
  test('names the new one, wherever the old one is verified', async () => {
    const issue = () => notarize(undefined, 'live', live)
    const [old, first, second] = [await issue(), await issue(), await issue()]
    assert.equal((await replace(old.id, first.id)).replacedBy, first.id)
    const answer = await replace(old.id, second.id)
    assert.equal(answer.replacedBy, second.id, 'the newest counts')
    assert.deepEqual(await replace(old.id, first.id), answer)
    const online = await verify(old)
    assert.equal(online.verdict, 'replaced')
    assert.deepEqual(
      online.corrections?.map(({ kind, replacedBy }) => [kind, replacedBy]),
      [
        ['replaced', first.transactionId],
        ['replaced', second.transactionId],
      ],
    )
    assert.equal((await verify(second)).answers?.status, 'yes')
    const [event] = await correctionEvents(receiver.company.id, old.transactionId)
    assert.ok(event)
    assert.ok(event.topic.endsWith('replace_one'))
    const { replacement } = event.payload as { replacement?: { hash?: string } }
    assert.equal(replacement?.hash, first.hash.value)
    const [mail = ''] = await server.mailsTo(receiver.admin.email, 1, /was replaced/)
    const text = mail.replaceAll('=\r\n', '').replaceAll('=\n', '')
    assert.ok(text.includes(`${server.url}/v/${codeOf(first.hash.value)}`), text)
  })

  test('is refused if the new one was withdrawn', async () => {
    const [old, next] = [await notarize(), await notarize()]
    await withdraw(next.id)
    const { answer } = await refusal(replace(old.id, next.id))
    assert.equal(answer?.statusCode, 400)
    assert.match(answer.details.join(), /^\/replacedBy .*withdrawn/)
  })

  for (const size of [2, 4])
    test(`of ${size} by each other at once makes no circle`, async () => {
      const ring = await Promise.all(Array.from({ length: size }, () => notarize()))
      const calls = ring.map(({ id }, at) => replace(id, ring.at(at - 1)?.id ?? ''))
      const { ok = 0, ...refused } = await outcomesOf(calls)
      assert.ok(ok > 0 && ok < size, `${ok} of ${size} are replaced`)
      assert.deepEqual(Object.keys(refused), ['validation_failed'])
    })

  test('is refused if the new one is the same, of another company or mode, or not notarized', async () => {
    const old = await notarize()
    const inLive = await notarize(undefined, 'live', live)
    const foreign = await newIdentity(server.client(receiver.admin.accessToken), receiver.company.id)
    const theirs = await notarizeSample(server.client(receiver.admin.accessToken), {
      company: receiver.company.id,
      identity: foreign,
    })
    for (const id of [old.id, inLive.id, theirs.id, identity.id]) {
      const { answer } = await refusal(replace(old.id, id))
      assert.equal(answer?.statusCode, 400)
      assert.match(answer.details.join(), /^\/replacedBy/)
    }
  })
})

describe('an operator of the service', () => {
  const asOperator = () => server.client(operator.accessToken)

  test('withdraws certificates of any company with the key of the log', async () => {
    const one = await notarize()
    const body = { reason: 'Found to be forged' }
    const answer = await asOperator().withdrawCertificate({ params: { id: one.id }, body })
    assert.equal(answer.corrections?.[0]?.by, 'operator')
    const online = await verify(one)
    assert.equal(online.verdict, 'withdrawn')
    assert.equal(online.corrections?.[0]?.by, 'operator')
  })

  test('is the only one who can do so without a company', async () => {
    const one = await notarize()
    const body = { reason: 'No company' }
    await assertRefused(
      client().withdrawCertificate({ params: { id: one.id }, body }),
      'company_header_missing',
    )
    await assertRefused(
      asOperator().withdrawCertificate({ company: company(), params: { id: one.id }, body }),
      'company_foreign',
    )
  })

  test('needs MFA in live mode', async () => {
    const one = await notarize(undefined, 'live', live)
    const body = { reason: 'Without a second factor' }
    await assertRefused(asOperator().withdrawCertificate({ params: { id: one.id }, body }), 'mfa_required')
  })
})
