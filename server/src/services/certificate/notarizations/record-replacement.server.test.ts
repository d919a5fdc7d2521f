import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Identity } from '@millseal/contract'
import { jobOf, storedCertificate } from '../../../../test/certificate-service.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { generousDeadline } from '../../../../test/eventually.ts'
import { password } from '../../../../test/people.ts'
import { auditOf, eventsOf } from '../../../../test/traces.ts'
import { findCorrection, findReplacement, startCorrection } from '../certificates/corrections.store.ts'
import { findCertificate } from '../certificates/certificates.store.ts'
import { isNotarized, recordStarted, runStartedCorrection } from '../corrections/started-correction.ts'
import { runClaimed } from './claimed.suite.ts'
import { maxAttempts } from './retry-delay.ts'
import { openWorkingMill, type WorkingMill } from './working-mill.suite.ts'

let opened: WorkingMill
let token: string
before(async () => {
  opened = await openWorkingMill('interrupted-mill')
  const { username } = opened.mill.admin
  token = (await opened.server.client().login({ body: { username, password } })).accessToken
})
after(() => opened[Symbol.asyncDispose]())

const client = () => opened.server.client(token)
const company = () => opened.mill.company.id
const query = () => opened.database.query

const submit = async (more: {
  readonly replaces?: string
  readonly reason?: string
  readonly identity?: string
}) => {
  const { jobId } = await client().notarizeCertificate({
    company: company(),
    query: { mode: 'test', identity: opened.identity.id, ...more },
    document: new Blob([JSON.stringify(sampleCertificate())], { type: 'application/json' }),
  })
  return jobId ?? assert.fail('no job')
}
const issue = async (identity: Pick<Identity, 'id'> = opened.identity) => {
  const id = await submit({ identity: identity.id })
  await runClaimed(opened.deps, id)
  return id
}
const replaceBy = (replaces: string) => submit({ replaces, reason: 'Corrected values' })
const read = (id: string) => client().readCertificate({ company: company(), params: { id } })
const lifeOf = (id: string) => client().readCertificateLife({ company: company(), params: { id } })

const newIdentity = () =>
  client().createIdentity({
    company: company(),
    query: { mode: 'test' },
    body: { coinType: 822, account: 1, wallet: opened.identity.wallet },
  })
const revoke = ({ id }: Identity) =>
  client().revokeIdentity({
    company: company(),
    query: { mode: 'test' },
    params: { id },
    body: { reason: 'Lost' },
  })

/** What the ledger and the company learned of a correction of this certificate. */
const toldOf = async (id: string) => {
  const { transactionId, hash, corrections } = await read(id)
  const bundle = await opened.server
    .client()
    .readProof({ params: { hash: hash.value }, query: { mode: 'test' } })
  const events = (await eventsOf(opened.server, company())).filter(
    ({ topic, payload }) =>
      /(?:withdraw|replace)_one$/.test(topic) &&
      (payload as { transactionId?: string }).transactionId === transactionId,
  )
  const entries = (await auditOf(opened.server, company())).filter(
    ({ action, details }) =>
      /^certificates\.(?:withdraw|replace)$/.test(action) &&
      (details as { transactionId?: string }).transactionId === corrections?.[0]?.transactionId,
  )
  return {
    recorded: bundle.corrections.length,
    events: events.length,
    wantedBy: entries.map(({ actor }) => actor),
  }
}
const once = () => ({ recorded: 1, events: 1, wantedBy: [`user:${opened.mill.admin.id}`] })

describe('a replacement that is interrupted', () => {
  test('ends once, although two runs do it', async () => {
    const old = await issue()
    const id = await replaceBy(old)
    await Promise.all([runClaimed(opened.deps, id), runClaimed(opened.deps, id)])
    await runClaimed(opened.deps, id)
    assert.equal((await read(old)).replacedBy, id)
    assert.deepEqual(await toldOf(old), once())
  })

  test('after the new entry ends whole when it is run again', async () => {
    const old = await issue()
    const id = await replaceBy(old)
    const stop = new AbortController()
    const keys: typeof opened.deps.keys = {
      ...opened.deps.keys,
      async record(request) {
        const record = await opened.deps.keys.record(request)
        stop.abort(new Error('the process stops'))
        return record
      },
    }
    await assert.rejects(runClaimed({ ...opened.deps, keys }, id, stop.signal))
    const [state, corrections] = [
      (await storedCertificate(opened.deps, id)).state,
      (await read(old)).corrections,
    ]
    assert.deepEqual([state, corrections], ['running', undefined])
    await runClaimed(opened.deps, id)
    assert.deepEqual([(await read(id)).state, (await read(old)).replacedBy], ['notarized', id])
    assert.deepEqual(await toldOf(old), once())
  })

  test('in its last attempt stands notarized, and a job replaces the old one', async () => {
    const old = await issue()
    const id = await replaceBy(old)
    await query()
      .updateTable('certificates')
      .set({ attempts: maxAttempts - 1 })
      .where('id', '=', id)
      .execute()
    const stop = new AbortController()
    const keys: typeof opened.deps.keys = {
      ...opened.deps.keys,
      async record(request) {
        const record = await opened.deps.keys.record(request)
        stop.abort(new Error('the ledger does not answer'))
        return record
      },
    }
    await runClaimed({ ...opened.deps, keys }, id, stop.signal)
    assert.deepEqual([(await read(id)).state, (await read(old)).replacedBy], ['notarized', undefined])
    const started = await findReplacement(query(), { certificateId: old, replacedBy: id })
    const job = jobOf({ correctionId: started?.id ?? '' })
    for (const _time of [1, 2]) await runStartedCorrection(opened.deps, job)
    assert.equal((await read(old)).replacedBy, id)
    assert.deepEqual(await toldOf(old), once())
  })
})

describe('a replacement whose old key is revoked after it was accepted', () => {
  test('records nothing at all if the new certificate is not on the ledger yet', async () => {
    const identity = await newIdentity()
    const old = await issue(identity)
    const id = await replaceBy(old)
    await revoke(identity)
    await runClaimed(opened.deps, id)
    const failed = await read(id)
    assert.deepEqual([failed.state, failed.transactionId], ['failed', undefined])
    assert.equal(failed.reasons?.[0]?.code, 'identity_not_usable')
    assert.equal((await read(old)).corrections, undefined)
  })

  test('leaves the new one notarized, and says why the old one is not replaced', async () => {
    const identity = await newIdentity()
    const old = await issue(identity)
    const id = await replaceBy(old)
    const keys: typeof opened.deps.keys = {
      ...opened.deps.keys,
      async record(request) {
        const record = await opened.deps.keys.record(request)
        await revoke(identity)
        return record
      },
    }
    await runClaimed({ ...opened.deps, keys }, id)
    assert.equal((await read(id)).state, 'notarized')
    const { replaces } = await lifeOf(id)
    assert.deepEqual([replaces?.id, replaces?.at], [old, undefined])
    assert.equal(replaces?.reasons?.[0]?.code, 'identity_not_usable')
    assert.equal((await read(old)).replacedBy, undefined)
  })
})

describe('a correction whose process ended', () => {
  const begin = async (id: string) => {
    const certificate = await findCertificate(query(), id)
    assert.ok(isNotarized(certificate))
    const started = await startCorrection(query(), {
      id: crypto.randomUUID(),
      certificateId: id,
      action: 'withdraw',
      replacedBy: null,
      reason: 'Wrong heat',
      madeBy: 'issuer',
      wantedBy: `user:${opened.mill.admin.id}`,
      ipAddress: '192.0.2.7',
      createdAt: new Date(opened.deps.clock.now()),
    })
    return { certificate, started }
  }

  for (const [when, isRecorded] of [
    ['before', false],
    ['after', true],
  ] as const)
    test(`${when} the ledger recorded it is finished by its job, once, as the person who wanted it`, async () => {
      const id = await issue()
      const { certificate, started } = await begin(id)
      const replacedBy = undefined
      if (isRecorded)
        await recordStarted(opened.deps, { certificate, started, replacedBy, signal: generousDeadline() })
      assert.equal((await read(id)).withdrawn, undefined)
      const job = jobOf({ correctionId: started.id })
      await Promise.all([runStartedCorrection(opened.deps, job), runStartedCorrection(opened.deps, job)])
      await runStartedCorrection(opened.deps, job)
      assert.equal((await read(id)).withdrawn, true)
      assert.deepEqual(await toldOf(id), once())
      const row = await findCorrection(query(), started.id)
      assert.deepEqual([row?.wantedBy, row?.ipAddress], [null, null])
    })

  test('and that the ledger refuses is tried no more, but can be wanted again', async () => {
    const identity = await newIdentity()
    const id = await issue(identity)
    const { started } = await begin(id)
    await revoke(identity)
    await runStartedCorrection(opened.deps, jobOf({ correctionId: started.id }))
    const row = await findCorrection(query(), started.id)
    assert.match(row?.reasons ?? '', /identity_not_usable/)
    assert.deepEqual([row?.transactionId, row?.wantedBy], [null, null])
    const again = await begin(id)
    assert.deepEqual([again.started.id, again.started.error], [started.id, null])
  })
})
