import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Mail } from '@millseal/contract'
import { newApplication, newOwner, tokenOf } from '../../../../test/machines.ts'
import { mailsOnce, mailTo, newMailHook } from '../../../../test/mail-hooks.ts'
import { signUp, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { type Eventful, newEventfulOwner } from '../../../../test/webhooks.ts'

let server: TestServer
let owner: Eventful
before(async () => {
  server = await startOwnServer()
  owner = await newEventfulOwner(server, 'mailed')
  // People whom an admin added get mails of verified companies only.
  await verifyCompany(server, await signUpOperator(server), owner.company.id)
})
after(() => server[Symbol.asyncDispose]())

const company = () => owner.company.id
const client = () => server.client(owner.admin.accessToken)
const allSettled = (count: number) => (mails: readonly Mail[]) =>
  mails.length === count && mails.every(({ delivered }) => delivered)

describe('the list of mails', () => {
  test('is filtered by mail hook, outcome, resource in any spelling, and action, page by page', async () => {
    const hook = await newMailHook(server, owner)
    await owner.produce('One', 'Two')
    const mails = (await mailsOnce(server, owner, hook.id, allSettled(2))).toReversed()
    const list = (query: object) => client().listMails({ company: company(), query })
    assert.deepEqual(await list({ resource: 'applications', action: 'update_one', delivered: true }), mails)
    for (const nothing of [{ delivered: false }, { resource: 'wallet' }, { action: 'create_one' }])
      assert.deepEqual(await list(nothing), [])
    assert.deepEqual(await list({ limit: 1 }), mails.slice(0, 1))
    assert.deepEqual(await list({ limit: 1, after: mails[0]?.id ?? '' }), mails.slice(1))
    await client().deleteMailHook({ params: { id: hook.id }, company: company() })
  })

  test('is searched by address and subject, and its first page says how many there are', async () => {
    for (const username of ['rolling', 'rolling-office']) {
      const { email } = await signUp(server, username)
      await client().addMember({ params: { id: company() }, body: { email, role: 'operator' } })
    }
    await mailTo(server, owner, ['rolling@example.com', 'rolling-office@example.com'])
    const hook = await newMailHook(server, owner)
    await owner.produce('Furnace 12', 'Furnace 13')
    await mailsOnce(server, owner, hook.id, allSettled(4))
    const list = async (query: object) => {
      let headers = new Headers()
      const mails = await client().listMails({
        company: company(),
        query,
        onHeaders: (received) => (headers = received),
      })
      const counted = ['x-total-count', 'x-total-count-exact'].map((name) => headers.get(name))
      return { found: mails.map(({ to, subject }) => `${to[0]} ${subject.split(': ')[1]}`), counted }
    }
    assert.deepEqual(await list({ text: 'furn 13 OFFICE' }), {
      found: ['rolling-office@example.com Furnace 13'],
      counted: ['1', 'true'],
    })
    assert.deepEqual((await list({ text: 'rolling@example.com', limit: 1 })).counted, ['4', 'true'])
    assert.deepEqual((await list({ text: 'furnace', delivered: false })).counted, ['0', 'true'])
    const [newest = assert.fail()] = await client().listMails({ company: company(), query: { limit: 1 } })
    assert.deepEqual(await list({ text: 'nothing-has-this', after: newest.id }), {
      found: [],
      counted: [null, null],
    })
    for (const text of ['', 'x'.repeat(201)]) {
      const refused = await refusal(client().listMails({ company: company(), query: { text } }))
      assert.equal(refused.status, 400)
      assert.ok(
        refused.answer?.details.some((detail) => detail.includes('/text')),
        String(refused.answer?.details),
      )
    }
    const stranger = await newOwner(server, 'searcher')
    const theirs = { company: stranger.company.id, query: { text: 'furnace' } }
    assert.deepEqual(await server.client(stranger.admin.accessToken).listMails(theirs), [])
    await mailTo(server, owner, [])
    await client().deleteMailHook({ params: { id: hook.id }, company: company() })
  })

  test('shows a machine the mails of its own mode, and nobody the mails of another company', async () => {
    const hook = await newMailHook(server, owner)
    await owner.produce('Seen')
    const [mail = assert.fail()] = await mailsOnce(server, owner, hook.id, allSettled(1))
    const scopes = { mails: { actions: ['read_many', 'read_one', 'retry_one'] } }
    const reader = await newApplication(server, owner, { mode: 'test', scopes })
    const machine = server.client(await tokenOf(server, reader))
    assert.deepEqual(await machine.listMails({ company: company() }), [mail])
    const stranger = await newOwner(server, 'stranger')
    const foreign = { params: { id: mail.id }, company: stranger.company.id }
    const other = server.client(stranger.admin.accessToken)
    await assertRefused(other.readMail(foreign), 'not_found')
    await assertRefused(other.retryMail(foreign), 'not_found')
    assert.deepEqual(await other.listMails({ company: stranger.company.id }), [])
    await client().deleteMailHook({ params: { id: hook.id }, company: company() })
  })
})
