import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { limits, mailStatusHeaders, type Mail } from '@millseal/contract'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { blockMails, mailsOnce, newMailHook } from '../../../../test/mail-hooks.ts'
import { type Changed, newMailProvider } from '../../../../test/mail-status.ts'
import { type Eventful, newEventfulOwner } from '../../../../test/webhooks.ts'
import { ConfigError, readConfig } from '../../../config.ts'
import { readMessage } from '../../../lib/read-message.ts'

const provider = newMailProvider()
let server: TestServer
let owner: Eventful
let hookId = ''
before(async () => {
  server = await startOwnServer({ environment: { MILLSEAL_MAIL_STATUS_KEY: provider.publicKey } })
  owner = await newEventfulOwner(server, 'mailed')
  hookId = (await newMailHook(server, owner)).id
})
after(() => server[Symbol.asyncDispose]())

const client = () => server.client(owner.admin.accessToken)
const read = (id: string): Promise<Mail> => client().readMail({ params: { id }, company: owner.company.id })
const seconds = () => Math.floor(server.clock.now() / 1_000)

const params = () => ({ id: owner.company.id })
const suppressions = () => client().listSuppressions({ params: params() })
const liftBounces = async (): Promise<void> => {
  for (const { id } of await suppressions())
    await client().deleteSuppression({ params: { ...params(), suppressionId: id } })
}

/** A mail that the mail server accepted, and the Message-ID in the reports of the provider. */
const newMail = async (): Promise<{ id: string; messageId: string }> => {
  await liftBounces()
  const name = `Plant ${randomUUID()}`
  await owner.produce(name)
  const isIt = ({ subject, delivered }: Mail): boolean => delivered && subject.endsWith(name)
  const mails = await mailsOnce(server, owner, hookId, (all) => all.some(isIt))
  const { id } = mails.find(isIt) ?? assert.fail()
  const [raw = ''] = await server.mailsTo('mailed@example.com', 1, new RegExp(id))
  return { id, messageId: readMessage(Buffer.from(raw)).header('message-id') }
}

const eventOf = (messageId: string, event: string, more: object = {}) => ({
  email: 'mailed@example.com',
  timestamp: seconds(),
  event,
  'smtp-id': messageId,
  sg_event_id: randomUUID(),
  sg_message_id: 'one.of.theirs',
  ...more,
})
const bounce = { reason: '550 5.1.1 no such user', status: '5.1.1', type: 'bounce' }
const taken = { status: 200, answer: { success: true } }

describe('a report of the mail provider', () => {
  test('changes the mail: after a bounce it is not delivered, with the reason; a later report counts', async () => {
    const { id, messageId } = await newMail()
    assert.deepEqual(await provider.tell(server, [eventOf(messageId, 'bounce', bounce)]), taken)
    const bounced = await read(id)
    assert.equal(bounced.delivered, false)
    assert.equal(bounced.deliveryError, bounce.reason)
    assert.deepEqual(bounced.error, { message: bounce.reason, status: '5.1.1' })
    assert.equal(bounced.nextAttemptAt, undefined)
    const later = eventOf(messageId, 'delivered', { timestamp: seconds() + 60 })
    assert.deepEqual(await provider.tell(server, [later]), taken)
    const { delivered, deliveryError } = await read(id)
    assert.deepEqual([delivered, deliveryError], [true, undefined])
  })

  test('counts once: a repeated bounce changes nothing, even after a retry that succeeded', async () => {
    const { id, messageId } = await newMail()
    const told = [eventOf(messageId, 'bounce', bounce)]
    await provider.tell(server, told)
    await client().retryMail({ params: { id }, company: owner.company.id })
    await mailsOnce(server, owner, hookId, (mails) => mails.some((mail) => mail.id === id && mail.delivered))
    assert.deepEqual(await provider.tell(server, told), taken)
    assert.equal((await read(id)).delivered, true)
    assert.equal((await read(id)).attempts?.length, 2)
  })

  test('counts by its own time, in whichever order it arrives; of two with the same second the failure counts', async () => {
    const { id, messageId } = await newMail()
    const at = seconds() + 60
    const dropped = eventOf(messageId, 'dropped', { timestamp: at })
    const same = eventOf(messageId, 'delivered', { timestamp: at })
    const earlier = eventOf(messageId, 'delivered', { timestamp: at - 30 })
    await provider.tell(server, [dropped, same, earlier])
    const { delivered, deliveryError } = await read(id)
    assert.deepEqual([delivered, deliveryError], [false, 'The mail provider could not deliver the mail'])
  })

  test('ends the attempts at a mail that was delivered although sending it seemed to fail', async () => {
    const { messageId } = await newMail()
    await liftBounces()
    const name = `Plant ${randomUUID()}`
    const find = async (isIt: (mail: Mail) => boolean): Promise<Mail> =>
      (await mailsOnce(server, owner, hookId, (all) => all.some(isIt))).find(isIt) ?? assert.fail()
    let failed: Mail
    {
      await using _blocked = await blockMails(server)
      await owner.produce(name)
      failed = await find(
        (mail) => mail.subject.endsWith(name) && mail.nextAttemptAt !== undefined && mail.error !== undefined,
      )
    }
    const { attachments: _attachments, ...unsent } = await read(failed.id)
    assert.equal(unsent.delivered, false)
    const eventId = /\b[0-9a-f-]{36}$/m.exec(unsent.content[0]?.value.split('Ereignis')[1] ?? '')?.[0] ?? ''
    const theirs = `<${eventId}.${failed.id}@${messageId.split('@')[1] ?? ''}`
    await provider.tell(server, [eventOf(theirs, 'delivered')])
    const { delivered, nextAttemptAt } = await read(failed.id)
    assert.deepEqual([delivered, nextAttemptAt], [true, undefined])
  })

  test('is ignored if it decides nothing or is not about one of our mails', async () => {
    const { id, messageId } = await newMail()
    const { updatedAt } = await read(id)
    const nobodys = `<${randomUUID()}.${randomUUID()}@localhost>`
    const about = [
      ...['processed', 'deferred', 'open', 'constructor', '__proto__'].map((event) =>
        eventOf(messageId, event),
      ),
      eventOf(nobodys, 'bounce'),
      eventOf('<elsewhere@example.com>', 'bounce'),
      eventOf(messageId, 'bounce', { timestamp: 'yesterday' }),
      eventOf(messageId, 'bounce', { timestamp: 1e300 }),
      { event: 'bounce' },
      null,
      'bounce',
    ]
    assert.deepEqual(await provider.tell(server, about), taken)
    assert.equal((await read(id)).updatedAt, updatedAt)
  })

  test('is stored on one line and within the maximum length', async () => {
    const { id, messageId } = await newMail()
    const reason = `550 no\r\nsuch user ${'x'.repeat(1_000)}`
    await provider.tell(server, [eventOf(messageId, 'bounce', { reason, status: 'not a status' })])
    const { deliveryError = '', error } = await read(id)
    assert.match(deliveryError, /^550 no such user x+…$/)
    assert.equal([...deliveryError].length, limits.deliveryError.maxLength)
    assert.deepEqual(error, { message: deliveryError })
  })
})

describe('a callback', () => {
  test('that the provider did not sign with this body and time is refused: 403', async () => {
    const { id, messageId } = await newMail()
    const events = [eventOf(messageId, 'bounce', bounce)]
    const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    const at = String(seconds())
    const forged: Changed[] = [
      { key },
      { headers: {} },
      { headers: { [mailStatusHeaders.timestamp]: at } },
      { headers: { [mailStatusHeaders.timestamp]: at, [mailStatusHeaders.signature]: 'AAAA' } },
      { headers: { [mailStatusHeaders.timestamp]: at, [mailStatusHeaders.signature]: '' } },
      { body: JSON.stringify([...events, ...events]) },
      { timestamp: String(seconds() - limits.callbackToleranceSeconds - 2) },
      { timestamp: String(seconds() + limits.callbackToleranceSeconds + 2) },
      { timestamp: 'now' },
      { timestamp: '1e9' },
    ]
    for (const changed of forged) {
      const { status } = await provider.tell(server, events, changed)
      assert.equal(status, 403, JSON.stringify(Object.keys(changed)))
    }
    assert.equal((await read(id)).delivered, true)
  })

  test('cannot be replayed after its time is over', async () => {
    const { id, messageId } = await newMail()
    const events = [eventOf(messageId, 'bounce', bounce)]
    const timestamp = String(seconds())
    server.clock.advance({ seconds: limits.callbackToleranceSeconds + 2 })
    assert.equal((await provider.tell(server, events, { timestamp })).status, 403)
    assert.equal((await read(id)).delivered, true)
  })

  test('that is signed but unreadable is answered with 400, never 500', async () => {
    for (const body of ['', '{', '{}', 'null', '7', '[{"event":"bounce","event":"delivered"}]']) {
      const { status } = await provider.tell(server, body)
      assert.equal(status, 400, body)
    }
  })

  test('is refused if no key of a provider is set: 403', async () => {
    await using closed = await startOwnServer()
    assert.equal((await provider.tell(closed, [])).status, 403)
  })
})

test('the key of the provider must be of P-256: the error names the setting', () => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const other = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  for (const value of ['nonsense', other]) {
    assert.throws(
      () => readConfig({ MILLSEAL_MAIL_STATUS_KEY: value }),
      (error: unknown) =>
        error instanceof ConfigError && error.message.startsWith('MILLSEAL_MAIL_STATUS_KEY: '),
    )
  }
})
