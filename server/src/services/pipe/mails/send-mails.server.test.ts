import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startHoldingMailServer } from '../../../../test/holding-mail-server.ts'
import { mailsOnce, mailTo, newMailHook } from '../../../../test/mail-hooks.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { newEventfulOwner } from '../../../../test/webhooks.ts'

describe('a mail about an event', () => {
  test('is not sent again by its process if that takes longer than the lease, as after a stop', async () => {
    await using mails = await startHoldingMailServer()
    await using started = await startOwnServer({ environment: { SMTP_URL: mails.url } })
    const server: TestServer = { ...started, mailsTo: (address, count) => mails.mailsTo(address, count) }
    const owner = await newEventfulOwner(server, 'mailed')
    const { email } = owner.admin
    await mailTo(server, owner, [email])
    const hook = await newMailHook(server, owner)
    const before = (await mails.mailsTo(email, 1)).length
    const first = mails.holdNext('mail')
    await owner.produce('slow')
    const acceptFirst = await first
    server.clock.advance({ minutes: 4 })
    await owner.produce('later')
    await mails.mailsTo(email, before + 1)
    acceptFirst()
    await mailsOnce(server, owner, hook.id, (sent) => sent.filter(({ delivered }) => delivered).length === 2)
    assert.equal((await mails.mailsTo(email, before + 2)).length, before + 2)
  })
})
