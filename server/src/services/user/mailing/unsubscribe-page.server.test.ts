import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { dumpOf } from '../../../../test/dump.ts'
import type { Owner } from '../../../../test/machines.ts'
import { signUp } from '../../../../test/people.ts'
import type { TestServer } from '../../../../test/test-server.ts'
import { readMessage } from '../../../lib/read-message.ts'
import { linkOf, type MailingCompanies, oneClick, openMailing, post } from './mailing.suite.ts'

let opened: MailingCompanies
let server: TestServer
before(async () => {
  opened = await openMailing(0)
  ;({ server } = opened)
})
after(() => opened[Symbol.asyncDispose]())

const verified = (username: string): Promise<Owner> => opened.verified(username)
const send = (owner: Owner, address: string): Promise<string | undefined> => opened.send(owner, address)

describe('the unsubscribe link', () => {
  test('stops the mails of this company with one click, without a session, and only those', async () => {
    const [owner, other] = [await verified('first-mill'), await verified('second-mill')]
    const address = 'enough@customer.example'
    const link = linkOf(await send(owner, address))
    assert.equal((await fetch(link)).status, 200)
    assert.ok(await send(owner, address), 'opening the page changes nothing')
    assert.equal((await fetch(link, { method: 'HEAD' })).status, 200)
    assert.ok(await send(owner, address))
    const answer = await oneClick(link)
    assert.equal(answer.status, 200)
    assert.equal((await oneClick(link)).status, 200, 'a repetition')
    assert.equal(await send(owner, address), undefined)
    assert.equal(await send(owner, address.toUpperCase()), undefined)
    assert.ok(await send(other, address))
  })

  test('works as multipart, as some mail programs send it', async () => {
    const owner = await verified('multipart-mill')
    const link = linkOf(await send(owner, 'multi@customer.example'))
    const form = new FormData()
    form.append('List-Unsubscribe', 'One-Click')
    assert.equal((await fetch(link, { method: 'POST', body: form })).status, 200)
    assert.equal(await send(owner, 'multi@customer.example'), undefined)
  })

  test('shows a page that stops the mails of every company, and lets the receiver undo it', async () => {
    const [owner, other] = [await verified('third-mill'), await verified('fourth-mill')]
    const address = 'silence@customer.example'
    const link = linkOf(await send(owner, address))
    const page = await (await fetch(link)).text()
    assert.match(page, /No more mails from any company/)
    assert.ok(!page.includes(address) && page.includes('s…@customer.example'))
    assert.match(await (await post(link, 'stop=company')).text(), /Rolling Mill can no longer send mails/)
    assert.match(await (await post(link, 'stop=all')).text(), /Companies can no longer send mails/)
    for (const one of [owner, other]) assert.equal(await send(one, address), undefined)
    await post(link, 'stop=none')
    for (const one of [owner, other]) assert.ok(await send(one, address))
  })

  test('does not stop mails about an account', async () => {
    const person = await signUp(server, 'account-owner')
    const owner = await verified('fifth-mill')
    await post(linkOf(await send(owner, person.email)), 'stop=all')
    await server.client().requestPasswordReset({ params: { email: person.email } })
    await server.mailsTo(person.email, 1, /Set a new password/)
  })

  test('cannot be guessed, names no address, and is stored only encrypted and as a hash', async () => {
    const owner = await verified('secret-mill')
    const [one, two] = ['one@customer.example', 'two@customer.example']
    const link = linkOf(await send(owner, one))
    assert.match(link, new RegExp(`^${server.url}/unsubscribe/[\\w-]{43}$`))
    assert.equal(linkOf(await send(owner, one)), link, 'the same in every mail to this address')
    const other = linkOf(await send(owner, two))
    assert.notEqual(other, link)
    const token = link.split('/').at(-1) ?? ''
    assert.ok(![...(await dumpOf(server)).values()].some((table) => table.includes(token)))
    assert.ok(!server.log.some((line) => line.includes(token)))
    const wrong = `${server.url}/unsubscribe/${'A'.repeat(43)}`
    for (const answer of [await fetch(wrong), await oneClick(wrong)]) assert.equal(answer.status, 401)
    for (const body of ['', 'List-Unsubscribe=Yes', 'stop=everything'])
      assert.equal((await post(link, body)).status, 400, body)
    assert.ok(await send(owner, one))
  })

  test('is offered for one click only over HTTPS, as RFC 8058 requires', async () => {
    const owner = await verified('https-mill')
    const { deps } = opened
    const plain = readMessage(Buffer.from((await send(owner, 'http@customer.example')) ?? ''))
    assert.equal(plain.header('list-unsubscribe-post'), '')
    await deps.mailer.send({
      id: 'https-1',
      to: [{ address: 'https@customer.example' }],
      subject: 'x',
      text: 'x',
      unsubscribeUrl: 'https://seal.example/unsubscribe/x',
    })
    const [raw = ''] = await server.mailsTo('https@customer.example', 1)
    const secure = readMessage(Buffer.from(raw))
    assert.equal(secure.header('list-unsubscribe'), '<https://seal.example/unsubscribe/x>')
    assert.equal(secure.header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
  })
})
