import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Identity } from '@millseal/contract'
import type { PdfRenderer } from '@millseal/families'
import { canonicalJson, extractEmbeddedCertificate } from '@millseal/proof'
import {
  acceptCertificate,
  jobsAbout,
  rejectInserts,
  sha256,
  storedCertificate,
} from '../../../../test/certificate-service.ts'
import { claimOne, runClaimed } from './claimed.suite.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { newIdentity } from '../../../../test/signers.ts'
import type { TestServer } from '../../../../test/test-server.ts'
import { type Event, eventsOf } from '../../../../test/traces.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { openClosedRenderer, openMill, type OpenedMill } from '../mill.suite.ts'
import { certificateMail } from '../mails/certificate-mail.ts'
import { failureMail } from '../mails/failure-mail.ts'
import { groupSteps } from './grouped-steps.ts'
import { endNotarizations } from './progress.store.ts'
import { runNotarization } from './run-notarization.ts'

let opened: OpenedMill
let server: TestServer
let deps: CertificateDependencies
let mill: Owner
let buyer: Owner
let identity: Identity
let closedRenderer: PdfRenderer

before(async () => {
  opened = await openMill('run-mill')
  ;({ server, deps, mill } = opened)
  buyer = await newOwner(server, 'run-buyer')
  identity = await newIdentity(server.client(mill.admin.accessToken), mill.company.id)
  closedRenderer = await openClosedRenderer(opened)
})
after(() => opened[Symbol.asyncDispose]())

const accept = (certificate: object = sampleCertificate()): Promise<string> =>
  acceptCertificate(deps, { companyId: mill.company.id, identityId: identity.id, certificate })

const run = (certificateId: string, changes: Partial<CertificateDependencies> = {}): Promise<void> =>
  runClaimed({ ...deps, ...changes }, certificateId)

const certificateEvents = async (owner: Owner, certificate: object): Promise<Event[]> =>
  (await eventsOf(server, owner.company.id)).filter(
    ({ payload }) => canonicalJson(payload as never) === canonicalJson(certificate as never),
  )

describe('a run that succeeds', () => {
  test('stores the PDF, records both hashes and writes state, events and mails', async () => {
    const certificate = sampleCertificate({
      receiver: { vatId: buyer.company.vatId, email: 'goods-in@example.com' },
    })
    const id = await accept(certificate)
    await run(id)

    const stored = await storedCertificate(deps, id)
    assert.equal(stored.state, 'notarized')
    assert.equal(stored.error, null)
    assert.equal(stored.attempts, 1)
    const pdf = stored.pdf ?? new Uint8Array()
    assert.equal(stored.pdfHash, sha256(pdf))
    const embedded = Buffer.from((await extractEmbeddedCertificate(pdf)) ?? [])
    assert.equal(embedded.toString(), JSON.stringify(certificate))

    const record = await deps.keys.findRecord({ mode: 'test', hash: stored.hash, file: 'json' })
    assert.equal(record?.transactionId, stored.transactionId)
    assert.deepEqual(record?.timestamp, stored.recordedAt)
    assert.equal(record?.issuerPublicKey, identity.publicKey)
    const { transaction } = record
    assert.deepEqual(transaction.operation === 'CREATE' && transaction.asset.data, {
      jsonHash: stored.hash,
      pdfHash: stored.pdfHash,
      schema: certificate.RefSchemaUrl,
    })
    assert.deepEqual(transaction.metadata, { timestamp: stored.createdAt.toISOString() })

    assert.deepEqual(
      [...(await certificateEvents(mill, certificate)), ...(await certificateEvents(buyer, certificate))],
      [
        {
          topic: `company/${mill.company.id}/test/certificates/notarize_one`,
          payload: certificate,
        },
        {
          topic: `company/${buyer.company.id}/test/certificates/receive_one`,
          payload: certificate,
        },
      ],
    )
    const [mail, ...others] = await jobsAbout(deps, certificateMail, id)
    assert.deepEqual(others, [])
    assert.deepEqual(mail?.recipients, [{ address: mill.admin.email, as: 'issuer' }])
    const admitted = await deps.users.findMailsAbout(deps.database.query, {
      companyId: mill.company.id,
      about: id,
    })
    assert.deepEqual(
      admitted.map(({ address, heldBack }) => [address, heldBack]),
      [
        ['goods-in@example.com', 'test_mode'],
        ['mill@example.com', 'test_mode'],
        [mill.admin.email, null],
      ],
    )
    assert.deepEqual(await jobsAbout(deps, failureMail, id), [])
  })

  test('fixes the look of the PDF at the first rendering, also if the look changes before a retry; it is no draft', async () => {
    const params = { id: mill.company.id }
    const admin = server.client(mill.admin.accessToken)
    const made: unknown[] = []
    const pdf: PdfRenderer = {
      ...deps.pdf,
      render: (request, signal) => {
        made.push([request.isDraft, request.document.look?.accent])
        return deps.pdf.render(request, signal)
      },
    }
    const record = () => Promise.reject(new Error('the ledger is away'))
    await admin.updateLook({ params, body: { accent: '#7a1f1f' } })
    const id = await accept()
    await assert.rejects(run(id, { pdf, keys: { ...deps.keys, record } }), /the ledger is away/)
    const { pdfHash } = await storedCertificate(deps, id)
    await admin.updateLook({ params, body: { accent: '#004400' } })
    await run(id, { pdf })
    const stored = await storedCertificate(deps, id)
    assert.equal(stored.state, 'notarized')
    assert.equal(stored.pdfHash, pdfHash)
    assert.deepEqual(made, [[false, '#7a1f1f']])
    await admin.deleteLook({ params })
  })

  test('has no effect when it is repeated', async () => {
    const certificate = sampleCertificate()
    const id = await accept(certificate)
    await run(id)
    const first = await storedCertificate(deps, id)
    await run(id)
    assert.deepEqual(await storedCertificate(deps, id), first)
    assert.equal((await certificateEvents(mill, certificate)).length, 1)
    assert.equal((await jobsAbout(deps, certificateMail, id)).length, 1)
  })

  test('does nothing for a certificate that does not exist', async () => {
    await run('00000000-0000-4000-8000-000000000000')
  })

  for (const [where, processes] of [
    ['of one process', 1],
    ['of two processes', 2],
  ] as const)
    test(`ends in one transaction, one event and one mail job if two runs ${where} overlap`, async () => {
      const certificate = sampleCertificate()
      const id = await accept(certificate)
      const steps = Array.from({ length: processes }, () => groupSteps(deps, () => 1))
      const claimed = [await claimOne(deps, id), await claimOne(deps, id)]
      await Promise.all(
        claimed.map(async (running, at) => {
          const own = steps[at % processes]
          if (running === undefined || own === undefined) assert.fail('claimed by nobody')
          await runNotarization({ ...deps, steps: own }, running, AbortSignal.timeout(600_000))
        }),
      )
      const { state, pdf, pdfHash, attempts } = await storedCertificate(deps, id)
      assert.equal(state, 'notarized')
      assert.equal(attempts, 2)
      assert.equal(sha256(pdf ?? ''), pdfHash)
      assert.equal((await certificateEvents(mill, certificate)).length, 1)
      assert.equal((await jobsAbout(deps, certificateMail, id)).length, 1)
    })

  test('stores PDFs together with others, and of two runs of one certificate the first', async () => {
    const steps = groupSteps(deps, () => 1)
    const [one, other] = [await accept(), await accept()]
    await claimOne(deps, one)
    await claimOne(deps, other)
    const store = (id: string, text: string) =>
      steps.storePdf({ id, pdf: Buffer.from(text), pdfHash: sha256(text), seal: null })
    const stored = await Promise.all([store(one, 'first'), store(one, 'second'), store(other, 'third')])
    assert.deepEqual(stored, [true, false, true])
    assert.deepEqual(await Promise.all([store(one, 'late'), store(other, 'late')]), [false, false])
    const pdfs = [await storedCertificate(deps, one), await storedCertificate(deps, other)]
    assert.deepEqual(
      pdfs.map(({ pdf, pdfHash }) => [pdf?.toString(), pdfHash]),
      [
        ['first', sha256('first')],
        ['third', sha256('third')],
      ],
    )
  })

  test('ends together with others, and one that cannot end does not stop them', async () => {
    const steps = groupSteps(deps, () => 1)
    const ids = await Promise.all(Array.from({ length: 5 }, () => accept()))
    const runs = await Promise.all(ids.map((id) => claimOne(deps, id)))
    const events = async () => (await eventsOf(server, mill.company.id)).length
    const earlier = await events()
    const all = Promise.withResolvers<void>()
    let recordings = 0
    const settled = await Promise.allSettled(
      runs.map(async (running, at) => {
        if (running === undefined) assert.fail('claimed by nobody')
        const record: typeof deps.keys.record = async (request) => {
          const recorded = await deps.keys.record(request)
          recordings += 1
          if (recordings === runs.length) all.resolve()
          await all.promise
          // The database rejects this text, and with it the transaction of the whole group.
          return at === 2 ? { ...recorded, transactionId: '\0' } : recorded
        }
        const own = { ...deps, steps, keys: { ...deps.keys, record } }
        await runNotarization(own, running, AbortSignal.timeout(600_000))
      }),
    )
    assert.deepEqual(
      settled.map(({ status }) => status === 'fulfilled'),
      [true, true, false, true, true],
    )
    const states = await Promise.all(ids.map(async (id) => (await storedCertificate(deps, id)).state))
    assert.deepEqual(states, ['notarized', 'notarized', 'running', 'notarized', 'notarized'])
    assert.equal((await events()) - earlier, 4)
  })
})

describe('a run after one that was interrupted', () => {
  test('uses the stored PDF and does not render again', async () => {
    const id = await accept()
    {
      // Using a key writes the audit log: the first run stops after it has stored the PDF.
      await using _rejecting = await rejectInserts(deps, 'audit_log')
      await assert.rejects(run(id), /interrupted/)
    }
    const { state, pdf, pdfHash } = await storedCertificate(deps, id)
    assert.equal(state, 'running')
    assert.equal(pdfHash, sha256(pdf ?? ''))
    await run(id, { pdf: closedRenderer })
    const done = await storedCertificate(deps, id)
    assert.equal(done.state, 'notarized')
    assert.equal(done.pdfHash, pdfHash)
    assert.equal(done.attempts, 2)
  })

  test('finds the transaction that the first run recorded', async () => {
    const id = await accept()
    {
      await using _rejecting = await rejectInserts(deps, 'outbox')
      await assert.rejects(run(id), /interrupted/)
    }
    const { hash, state } = await storedCertificate(deps, id)
    assert.equal(state, 'running', 'the transaction of the end was rolled back')
    const record = await deps.keys.findRecord({ mode: 'test', hash, file: 'json' })
    await run(id)
    const { transactionId, state: last } = await storedCertificate(deps, id)
    assert.equal(last, 'notarized')
    assert.equal(transactionId, record?.transactionId)
  })

  test('uses the PDF of a concurrent run that stored its own first', async () => {
    const certificate = sampleCertificate()
    const id = await accept(certificate)
    // The other run is faster: it has finished when this one has rendered.
    const pdf: PdfRenderer = {
      ...deps.pdf,
      render: async (request, signal) => {
        await run(id)
        return Buffer.concat([await deps.pdf.render(request, signal), Buffer.from('\n')])
      },
    }
    await run(id, { pdf })
    const stored = await storedCertificate(deps, id)
    assert.equal(stored.state, 'notarized')
    assert.equal(sha256(stored.pdf ?? ''), stored.pdfHash)
    assert.equal((await certificateEvents(mill, certificate)).length, 1)
  })

  test('changes nothing if another run ended the notarization while this one rendered', async () => {
    const id = await accept()
    const pdf: PdfRenderer = {
      ...deps.pdf,
      render: async (request, signal) => {
        const other = { id, state: 'failed', error: 'the first', reasons: null } as const
        await endNotarizations(deps.database.query, [other], new Date())
        return deps.pdf.render(request, signal)
      },
    }
    await assert.rejects(run(id, { pdf }), new RegExp(`ended the notarization of certificate ${id}`))
    const { state, error, pdf: stored, hash } = await storedCertificate(deps, id)
    assert.deepEqual({ state, error, stored }, { state: 'failed', error: 'the first', stored: null })
    assert.equal(await deps.keys.findRecord({ mode: 'test', hash }), undefined)
    assert.deepEqual(await jobsAbout(deps, failureMail, id), [])
  })
})
