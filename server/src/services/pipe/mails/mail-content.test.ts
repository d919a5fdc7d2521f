import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newOwner } from '../../../../test/machines.ts'
import { mailsOnce, newMailHook } from '../../../../test/mail-hooks.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { newEventfulOwner } from '../../../../test/webhooks.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server[Symbol.asyncDispose]())

test('the HTML of a mail is that of its record, can neither run nor load anything, and is for its company only', async () => {
  const owner = await newEventfulOwner(server, 'reader')
  const hook = await newMailHook(server, owner)
  await owner.produce('Seen')
  const [mail = assert.fail('no mail')] = await mailsOnce(server, owner, hook.id, (found) => found.length > 0)
  const read = (accessToken: string, company: string) =>
    fetch(`${server.url}/api/mails/${mail.id}/content`, {
      headers: { authorization: `Bearer ${accessToken}`, company },
    })
  const answer = await read(owner.admin.accessToken, owner.company.id)
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
  const policy = answer.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /sandbox/)
  const html = mail.content.find(({ type }) => type === 'text/html')?.value
  assert.equal(await answer.text(), html)
  const stranger = await newOwner(server, 'stranger')
  assert.equal((await read(stranger.admin.accessToken, stranger.company.id)).status, 404)
})
