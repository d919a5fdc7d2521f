import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { limits } from '@millseal/contract'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { deskEventsOf, deskOf, openSupplier, type Supplier } from '../../../../test/desk.ts'
import { eventually } from '../../../../test/eventually.ts'
import { newApplication, newOwner, type Owner, tokenOf } from '../../../../test/machines.ts'
import { signUp } from '../../../../test/people.ts'
import { assertRefused, outcomesOf, refusal } from '../../../../test/refusal.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { auditOf } from '../../../../test/traces.ts'

let server: TestServer
let supplier: Supplier
before(async () => {
  server = await startTestServer()
  supplier = await openSupplier(server, 'deciding-mill')
})
after(() => server[Symbol.asyncDispose]())

const desk = (owner: Owner, seat?: Parameters<typeof deskOf>[2]) => deskOf(server, owner, seat)

describe('a decision', () => {
  const fileTwo = async (name: string) => {
    const owner = await newOwner(server, name)
    const ours = desk(owner)
    const kept = await ours.require('Plate')
    const filed = [
      await ours.file((await supplier.notarize(undefined)).text, { against: 'Plate' }),
      await ours.file((await supplier.notarize(undefined)).text, { against: 'Plate' }),
    ] as const
    return { owner, ours, kept, filed, ids: filed.map(({ id }) => id) }
  }

  test('accepts many at once, names who, when and the requirement, and is in the audit log', async () => {
    const { owner, ours, filed, ids } = await fileTwo('accepting-works')
    const decided = await ours.decide({ ids, decision: 'accepted' })
    assert.deepEqual(
      decided.map(({ id, state }) => [id, state]),
      ids.map((id) => [id, 'accepted']),
    )
    const [{ decision } = assert.fail()] = decided
    assert.equal(decision?.by?.name, owner.admin.username)
    assert.equal(decision?.check, 'pass')
    assert.deepEqual(decision?.requirement, filed[0].check?.requirement)
    assert.deepEqual(await ours.decide({ ids, decision: 'accepted' }), decided, 'repeating changes nothing')
    const entries = (await auditOf(server, owner.company.id)).filter(
      ({ action }) => action === 'inbox.decide',
    )
    assert.deepEqual(
      entries.map(({ details }) => (details as { requirement: string }).requirement),
      filed.map(({ check }) => check?.requirement.hash),
    )
    assert.deepEqual(
      (await deskEventsOf(server, owner.company.id)).map(({ action }) => action),
      ['accept_one', 'accept_one'],
    )
  })

  test('is all or nothing, and names what prevents it', async () => {
    const { ours, ids } = await fileTwo('careful-works')
    const unmet = await ours.file(JSON.stringify(sampleCertificate({ number: 'UNMET-1' })), {
      against: 'Plate',
    })
    const refused = await refusal(ours.decide({ ids: [...ids, unmet.id], decision: 'accepted' }))
    assert.match(refused.answer?.details.join('\n') ?? '', /^\/ids\/2 unmet-1 does not meet everything$/)
    assert.equal((await ours.counts()).toDecide, 3)
    await ours.decide({ ids, decision: 'rejected', reason: 'Wrong material' })
    await assertRefused(ours.decide({ ids, decision: 'archived' }), 'inbox_decided')
    await assertRefused(ours.check(ids), 'inbox_decided')
  })

  test('with a concession or to reject needs a reason', async () => {
    const { ours, ids } = await fileTwo('reasoning-works')
    for (const decision of ['acceptedWithConcession', 'rejected'] as const)
      assert.match(
        (await refusal(ours.decide({ ids, decision }))).answer?.details.join('\n') ?? '',
        /^\/reason needs a reason$/,
      )
    const [entry] = await ours.decide({
      ids: [ids[0] ?? ''],
      decision: 'acceptedWithConcession',
      reason: 'Not load-bearing',
    })
    assert.deepEqual([entry?.state, entry?.decision?.reason], ['acceptedWithConcession', 'Not load-bearing'])
  })

  test('can be undone for a day by another entry, and stays in the history', async () => {
    const { owner, ours, ids } = await fileTwo('undoing-works')
    const [id = ''] = ids
    await assertRefused(ours.undo(id), 'inbox_not_decided')
    await ours.decide({ ids: [id], decision: 'rejected', reason: 'A mistake' })
    assert.equal((await ours.undo(id)).state, 'new')
    const { history, decision, state } = await ours.read(id)
    assert.deepEqual([state, decision], ['new', undefined])
    assert.deepEqual(
      history.map((one) => one.decision),
      ['undone', 'rejected'],
    )
    assert.deepEqual(
      (await deskEventsOf(server, owner.company.id)).map(({ action }) => action),
      ['reject_one', 'reopen_one'],
    )
  })

  test('is kept with what it was made with; what is open is checked again when the requirement changes', async () => {
    const { ours, filed, ids } = await fileTwo('changing-works')
    const [decided = '', open = ''] = ids
    await ours.decide({ ids: [decided], decision: 'accepted' })
    await ours.require('Plate', '0.10')
    const changed = await eventually(async () => {
      const entry = await ours.read(open)
      return entry.check?.verdict === 'fail' && entry
    })
    assert.equal(changed.advice, 'doNotAccept')
    assert.notEqual(changed.check?.requirement.hash, filed[1].check?.requirement.hash)
    const kept = await ours.read(decided)
    assert.deepEqual(kept.decision?.requirement, filed[0].check?.requirement)
    assert.equal(kept.check?.verdict, 'pass')
  })

  test('is for clerks, and for applications with scopes that none had before', async () => {
    const { owner, ours, ids } = await fileTwo('ranked-works')
    const reader = await signUp(server, 'desk-reader')
    const params = { id: owner.company.id }
    await ours.client.addMember({ params, body: { email: reader.email, role: 'read_only' } })
    const looking = desk(owner, { token: reader.accessToken })
    assert.equal((await looking.list()).length, 2)
    await assertRefused(looking.decide({ ids, decision: 'accepted' }), 'member_role_missing')
    await assertRefused(looking.file('{}'), 'member_role_missing')
    const earlier = { certificates: { actions: ['*'] }, requirements: { actions: ['*'] } }
    const older = desk(owner, {
      token: await tokenOf(server, await newApplication(server, owner, { scopes: earlier })),
    })
    await assertRefused(older.list(), 'scope_missing')
    await assertRefused(older.decide({ ids, decision: 'accepted' }), 'scope_missing')
    const scopes = { inbox: { actions: ['read_many', 'decide_many'] } }
    const newer = desk(owner, {
      token: await tokenOf(server, await newApplication(server, owner, { scopes })),
    })
    assert.deepEqual(
      (await newer.decide({ ids, decision: 'accepted' })).map(({ decision }) => decision?.by?.kind),
      ['application', 'application'],
    )
  })

  test('of two clerks at once is that of one', async () => {
    const { ours, ids } = await fileTwo('racing-works')
    const outcomes = await outcomesOf([
      ours.decide({ ids, decision: 'accepted' }),
      ours.decide({ ids: ids.toReversed(), decision: 'rejected', reason: 'Wrong' }),
    ])
    assert.deepEqual(outcomes, { ok: 1, inbox_decided: 1 })
    const histories = await Promise.all(ids.map(async (id) => (await ours.read(id)).history.length))
    assert.deepEqual(histories, [1, 1])
  })
})

test('a decision cannot be taken back after a day', async () => {
  const owner = await newOwner(server, 'late-works')
  const { text } = await supplier.notarize(undefined)
  const { id } = await desk(owner).file(text)
  await desk(owner).decide({ ids: [id], decision: 'archived' })
  server.clock.advance({ seconds: limits.inbox.undoSeconds + 1 })
  const later = desk({ ...owner, admin: await owner.signInAgain() })
  await assertRefused(later.undo(id), 'inbox_undo_too_late')
})
