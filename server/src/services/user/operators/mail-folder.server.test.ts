import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { password, type Person, signUp, signUpOperator } from '../../../../test/people.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import { linkIn, startOwnServer, type TestServer } from '../../../../test/test-server.ts'

let server: TestServer
let operator: Person
before(async () => {
  server = await startOwnServer()
  operator = await signUpOperator(server)
})
after(() => server[Symbol.asyncDispose]())

describe('the mails of an installation without a mail server', () => {
  test('are shown to operators as their receivers see them, without the tokens of links', async () => {
    const email = 'mueller@example.com'
    await server.client().registerUser({ body: { username: 'müller-größe', email, password } })
    const [raw = ''] = await server.mailsTo(email, 1)
    const token = linkIn(raw).searchParams.get('token') ?? assert.fail('no token')
    const client = server.client(operator.accessToken)
    const [listed] = await client.listWrittenMails()
    assert.ok(listed)
    assert.deepEqual([listed.to, listed.subject], [[email], 'Confirm your e-mail address'])
    const mail = await client.readWrittenMail({ params: { id: listed.id } })
    assert.match(mail.text, /Hello,/)
    assert.match(mail.text, /confirm-email\?token=\[hidden\]/)
    assert.match(mail.html ?? '', /<html/)
    assert.match(mail.html ?? '', /token=\[hidden\]/)
    assert.ok(!JSON.stringify(mail).includes(token))
    assert.equal(mail.from, 'Millseal <millseal@localhost>')
  })

  test('are listed newest first, in pages', async () => {
    for (const name of ['first-reader', 'second-reader']) {
      const { email } = await signUp(server, name)
      server.clock.advance({ seconds: 1 })
      await server.mailsTo(email, 1)
    }
    const client = server.client(operator.accessToken)
    const [newest] = await client.listWrittenMails({ query: { limit: 1 } })
    const [next] = await client.listWrittenMails({ query: { limit: 1, after: newest?.id ?? '' } })
    assert.deepEqual([newest?.to, next?.to], [['second-reader@example.com'], ['first-reader@example.com']])
  })

  test('are found by beginnings of words of receiver and subject, and counted', async () => {
    await server.mailsTo((await signUp(server, 'rolling-office')).email, 1)
    const client = server.client(operator.accessToken)
    const find = async (query: object) => {
      let headers = new Headers()
      const mails = await client.listWrittenMails({ query, onHeaders: (received) => (headers = received) })
      return { to: mails.flatMap(({ to }) => to), total: headers.get('x-total-count') }
    }
    const one = { to: ['rolling-office@example.com'], total: '1' }
    assert.deepEqual(await find({ text: 'CONFIRM roll' }), one)
    assert.deepEqual(await find({ text: 'rolling-office@example.com' }), one)
    assert.deepEqual(await find({ text: 'ffice' }), { to: [], total: '0' })
    const all = await find({ text: 'confirm', limit: 1 })
    assert.deepEqual([all.to, Number(all.total) > 1], [['rolling-office@example.com'], true])
  })

  test('are for operators only, and there are none with a mail server', async () => {
    const person = await signUp(server, 'curious')
    await assertRefused(server.client(person.accessToken).listWrittenMails(), 'role_missing')
    const id = '0198c0de-0000-7000-8000-000000000000'
    await assertRefused(server.client(operator.accessToken).readWrittenMail({ params: { id } }), 'not_found')
    await using other = await startOwnServer({ environment: { SMTP_URL: 'smtp://127.0.0.1:1' } })
    const client = other.client((await signUpOperator(other)).accessToken)
    await assertRefused(client.listWrittenMails(), 'not_found')
  })
})
