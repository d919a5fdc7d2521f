import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { limits } from '@millseal/contract'
import { eventually } from '../../../../test/eventually.ts'
import type { Owner } from '../../../../test/machines.ts'
import { signUp } from '../../../../test/people.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import type { TestServer } from '../../../../test/test-server.ts'
import { auditOf } from '../../../../test/traces.ts'
import { readMessage } from '../../../lib/read-message.ts'
import { linkOf, type MailingCompanies, oneClick, openMailing } from './mailing.suite.ts'

let opened: MailingCompanies
let server: TestServer
before(async () => {
  opened = await openMailing(0)
  ;({ server } = opened)
})
after(() => opened[Symbol.asyncDispose]())

const verified = (username: string): Promise<Owner> => opened.verified(username)
const send = (owner: Owner, address: string): Promise<string | undefined> => opened.send(owner, address)

describe('an address at which mails bounce', () => {
  const report = (mail: string | undefined, event: string, more: object = {}) => ({
    email: 'somebody@customer.example',
    event,
    timestamp: Math.floor(server.clock.now() / 1_000),
    'smtp-id': readMessage(Buffer.from(mail ?? '')).header('message-id'),
    sg_event_id: randomUUID(),
    ...more,
  })
  const hard = { type: 'bounce', status: '5.1.1', reason: '550 5.1.1 no such user' }
  const soft = { type: 'bounce', status: '4.2.2', reason: '452 mailbox full' }
  const listOf = ({ admin, company }: Owner) =>
    server.client(admin.accessToken).listSuppressions({ params: { id: company.id } })

  test('for good gets no more mails of this company, until an admin says that it works again', async () => {
    const [owner, other] = [await verified('bounced-mill'), await verified('other-mill')]
    const address = 'gone@customer.example'
    const told = report(await send(owner, address), 'bounce', hard)
    await opened.provider.tell(server, [told])
    assert.equal(await send(owner, address), undefined)
    assert.ok(await send(other, address), 'other companies learn nothing of it')
    const [suppression = assert.fail(), ...more] = await listOf(owner)
    assert.deepEqual(
      [suppression.address, suppression.reason, suppression.detail, more],
      [address, 'hard_bounce', hard.reason, []],
    )
    assert.deepEqual(await listOf(other), [])
    const params = { id: owner.company.id, suppressionId: suppression.id }
    await assertRefused(
      server
        .client(other.admin.accessToken)
        .deleteSuppression({ params: { ...params, id: other.company.id } }),
      'not_found',
    )
    await server.client(owner.admin.accessToken).deleteSuppression({ params })
    assert.equal((await auditOf(server, owner.company.id)).at(-1)?.action, 'suppressions.delete')
    await opened.provider.tell(server, [told])
    assert.ok(await send(owner, address), 'the repeated report counts once')
  })

  test('works again after a later delivery', async () => {
    const owner = await verified('lifted-mill')
    const address = 'back@customer.example'
    const mail = await send(owner, address)
    await opened.provider.tell(server, [report(mail, 'bounce', hard)])
    const timestamp = Math.floor(server.clock.now() / 1_000) + 1
    await opened.provider.tell(server, [report(mail, 'delivered', { timestamp })])
    assert.ok(await send(owner, address))
  })

  test(`temporarily gets no more mails after ${limits.softBounces.count} bounces without a delivery`, async () => {
    const owner = await verified('full-mill')
    const address = 'full@customer.example'
    const bounceOnce = async () =>
      await opened.provider.tell(server, [report(await send(owner, address), 'bounce', soft)])
    for (let at = 1; at < limits.softBounces.count; at += 1) await bounceOnce()
    server.clock.advance({ seconds: 2 })
    await opened.provider.tell(server, [report(await send(owner, address), 'delivered')])
    for (let at = 1; at < limits.softBounces.count; at += 1) await bounceOnce()
    assert.ok(await send(owner, address))
    await bounceOnce()
    assert.equal(await send(owner, address), undefined)
    assert.deepEqual(
      (await listOf(owner)).map(({ reason }) => reason),
      ['soft_bounces'],
    )
  })

  test('is not judged by reports on mails of others, dropped mails or a blocked sender', async () => {
    const owner = await verified('judged-mill')
    const address = 'fine@customer.example'
    const mail = await send(owner, address)
    await opened.provider.tell(server, [
      report(mail, 'bounce', { ...hard, 'smtp-id': `<${randomUUID()}@elsewhere.example>` }),
      report(mail, 'dropped', { reason: 'Bounced Address' }),
      report(mail, 'bounce', { ...hard, type: 'blocked' }),
    ])
    assert.ok(await send(owner, address))
    assert.deepEqual(await listOf(owner), [])
  })

  test('stops mails about an account for a day at most', async () => {
    const person = await signUp(server, 'moved-away')
    const isReset = /Set a new password/
    const reset = () => server.client().requestPasswordReset({ params: { email: person.email } })
    const [first = ''] = await server.mailsTo(person.email, 1)
    await opened.provider.tell(server, [report(first, 'bounce', { ...hard, email: person.email })])
    await reset()
    await eventually(() => server.log.some((line) => line.includes('the last one bounced')))
    assert.deepEqual(await server.mailsTo(person.email, 0, isReset), [])
    server.clock.advance({ seconds: limits.accountBounceSeconds + 1 })
    await reset()
    await server.mailsTo(person.email, 1, isReset)
  })

  test('is not freed by a company if the receiver unsubscribed', async () => {
    const owner = await verified('refused-mill')
    const address = 'never@customer.example'
    await oneClick(linkOf(await send(owner, address)))
    const [suppression = assert.fail()] = await listOf(owner)
    assert.equal(suppression.reason, 'unsubscribed')
    const params = { id: owner.company.id, suppressionId: suppression.id }
    await assertRefused(
      server.client(owner.admin.accessToken).deleteSuppression({ params }),
      'unsubscribed_by_receiver',
    )
    assert.equal(await send(owner, address), undefined)
  })
})
