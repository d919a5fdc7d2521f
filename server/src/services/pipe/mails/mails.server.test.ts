import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Mail } from '@millseal/contract'
import { eventually } from '../../../../test/eventually.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { blockMails, mailsOnce, mailTo, newMailHook } from '../../../../test/mail-hooks.ts'
import { signUp, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { executeIn } from '../../../../test/execute-in.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import { auditOf } from '../../../../test/traces.ts'
import { type Eventful, newEventfulOwner } from '../../../../test/webhooks.ts'
import { readMessage } from '../../../lib/read-message.ts'

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
const read = (id: string) => client().readMail({ params: { id }, company: company() })
const retry = (id: string) => client().retryMail({ params: { id }, company: company() })
const allSettled = (count: number) => (mails: readonly Mail[]) =>
  mails.length === count && mails.every(({ delivered }) => delivered)

/** In test mode only confirmed members get mails. */
const addMember = async (username: string) => {
  const person = await signUp(server, username)
  await client().addMember({ params: { id: company() }, body: { email: person.email, role: 'operator' } })
  return person
}

/** The mails to an address about this, parsed as a mail program does. */
const arrived = async (address: string, about: string) => {
  const [raw = ''] = await server.mailsTo(address, 1, new RegExp(about))
  return readMessage(Buffer.from(raw))
}

describe('an event that a mail hook listens to', () => {
  test('reaches each address of the company as text and HTML, with its payload attached', async () => {
    for (const username of ['plant', 'plant-office']) await addMember(username)
    await mailTo(server, owner, ['plant@example.com', 'plant-office@example.com'])
    const hook = await newMailHook(server, owner)
    await owner.produce('Plant 7')
    const mails = await mailsOnce(server, owner, hook.id, allSettled(2))
    assert.deepEqual(mails.flatMap(({ to }) => to).toSorted(), [
      'plant-office@example.com',
      'plant@example.com',
    ])
    const [mail = assert.fail()] = mails
    assert.equal(mail.subject, '[TEST] Eine Anwendung wurde geändert oder hat ein neues Geheimnis: Plant 7')
    assert.equal(mail.from, 'millseal@localhost')
    assert.deepEqual([mail.resource, mail.action, mail.mode], ['applications', 'update_one', 'test'])
    assert.deepEqual(mail.hook, { id: hook.id })

    const { attachments: [attached = assert.fail()] = [], attempts, ...rest } = await read(mail.id)
    assert.deepEqual(rest, mail)
    assert.deepEqual([attached.filename, attached.type], ['applications-update_one.json', 'application/json'])
    const record = JSON.parse(Buffer.from(attached.content, 'base64').toString('utf8')) as { name: string }
    assert.equal(record.name, 'Plant 7')
    assert.equal(attempts?.length, 1)
    assert.equal(attempts?.[0]?.error, undefined)

    const message = await arrived(mail.to[0] ?? '', mail.id)
    assert.deepEqual(message.recipients, mail.to)
    assert.equal(message.header('subject'), mail.subject)
    const link = message.header('list-unsubscribe').slice(1, -1)
    assert.match(link, /\/unsubscribe\/[\w-]{43}$/)
    const [text, html, json] = message.parts.map(({ content }) =>
      content.toString('utf8').replaceAll('\r\n', '\n'),
    )
    assert.deepEqual(
      [text?.trimEnd(), html?.trimEnd()],
      mail.content.map(({ value }) => value.trimEnd().replace(/http\S*\/unsubscribe\/\[hidden\]/, link)),
    )
    assert.equal(json, Buffer.from(attached.content, 'base64').toString('utf8'))
    assert.deepEqual(
      (await client().readMailHook({ params: { id: hook.id }, company: company() })).mails,
      mails.toReversed(),
    )
    await client().deleteMailHook({ params: { id: hook.id }, company: company() })
    await assertRefused(read(mail.id), 'not_found')
  })

  test('is in the language of the reader’s account, otherwise in that of the country', async () => {
    const { id, email, accessToken } = await addMember('english-clerk')
    await addMember('other-office')
    await server.client(accessToken).updateUser({ params: { id }, body: { language: 'en' } })
    await mailTo(server, owner, [email, 'other-office@example.com'])
    const hook = await newMailHook(server, owner)
    await owner.produce('Plant 9')
    const mails = await mailsOnce(server, owner, hook.id, allSettled(2))
    const subjectTo = (address: string) => mails.find(({ to }) => to[0] === address)?.subject ?? ''
    assert.match(subjectTo(email), /An application was changed/)
    assert.match(subjectTo('other-office@example.com'), /Eine Anwendung wurde geändert/)
    await client().deleteMailHook({ params: { id: hook.id }, company: company() })
  })

  test('reaches the admins if the company has no address, and adds no header and no recipient by its names', async () => {
    await mailTo(server, owner, [])
    const hook = await newMailHook(server, owner)
    const names = ['a\r\nBcc: thief@evil.example', 'b\u2028To: thief@evil.example', 'c, <thief@evil.example>']
    await owner.produce(...names)
    const mails = await mailsOnce(server, owner, hook.id, allSettled(names.length))
    for (const mail of mails) {
      assert.deepEqual(mail.to, ['mailed@example.com'])
      const message = await arrived('mailed@example.com', mail.id)
      assert.deepEqual(message.recipients, ['mailed@example.com'])
      assert.deepEqual(message.headerNames.toSorted(), [
        'auto-submitted',
        'content-type',
        'date',
        'from',
        'list-unsubscribe',
        'message-id',
        'mime-version',
        'subject',
        'to',
      ])
    }
    await client().deleteMailHook({ params: { id: hook.id }, company: company() })
  })

  test('causes no mail from a mail hook that is disabled or listens to something else', async () => {
    const disabled = await newMailHook(server, owner, { status: 'disabled' })
    const live = await newMailHook(server, owner, {
      scopes: [{ resource: 'applications', actions: ['update_one'], mode: 'live' }],
    })
    const heard = await newMailHook(server, owner)
    await owner.produce('Plant 8')
    await mailsOnce(server, owner, heard.id, allSettled(1))
    for (const { id } of [disabled, live]) await mailsOnce(server, owner, id, ({ length }) => length === 0)
    for (const { id } of [disabled, live, heard])
      await client().deleteMailHook({ params: { id }, company: company() })
  })
})

describe('a mail that the mail server does not accept', () => {
  test('is retried by the schedule of webhooks with the same Message-ID, and every attempt is recorded', async () => {
    const hook = await newMailHook(server, owner)
    let failed: Mail
    {
      await using _blocked = await blockMails(server)
      await owner.produce('Late')
      const [mail = assert.fail()] = await mailsOnce(
        server,
        owner,
        hook.id,
        ([first]) => first?.nextAttemptAt !== undefined && first.deliveryError !== undefined,
      )
      failed = mail
    }
    assert.equal(failed.delivered, false)
    assert.deepEqual(failed.error, { message: 'The mail server did not accept the mail' })
    const waits = Date.parse(failed.nextAttemptAt ?? '') - Date.parse(failed.updatedAt ?? '')
    assert.ok(waits >= 5_000 && waits <= 5_500, `${waits} ms`)
    server.clock.advance({ seconds: 6 })
    await mailsOnce(server, owner, hook.id, allSettled(1))
    const { attempts = [], deliveryError } = await read(failed.id)
    assert.equal(deliveryError, undefined)
    assert.deepEqual(
      attempts.map(({ error }) => error),
      ['The mail server did not accept the mail', undefined],
    )
    const message = await arrived('mailed@example.com', failed.id)
    assert.match(message.header('message-id'), new RegExp(`^<[0-9a-f-]{36}\\.${failed.id}@localhost>$`))
    await assertRefused(retry(failed.id), 'delivery_not_failed')
    await client().deleteMailHook({ params: { id: hook.id }, company: company() })
  })

  test('is sent at once on request, which the audit log records', async () => {
    const hook = await newMailHook(server, owner)
    let id = ''
    {
      await using _blocked = await blockMails(server)
      await owner.produce('Asked for')
      const [mail = assert.fail()] = await mailsOnce(
        server,
        owner,
        hook.id,
        ([first]) => first?.nextAttemptAt !== undefined && first.deliveryError !== undefined,
      )
      id = mail.id
    }
    const queued = await retry(id)
    assert.equal(queued.delivered, false)
    await mailsOnce(server, owner, hook.id, allSettled(1))
    assert.equal((await auditOf(server, company())).at(-1)?.action, 'mails.retry')
    await client().deleteMailHook({ params: { id: hook.id }, company: company() })
  })
})

test('a mail that is refused for good is not retried, does not affect other recipients, and can be retried by hand', async () => {
  const unusable = `${'x'.repeat(65)}@example.com`
  for (const username of ['refusing', 'usable']) await addMember(username)
  await executeIn(server, `update users set email = '${unusable}' where username = 'refusing'`)
  await mailTo(server, owner, [unusable, 'usable@example.com'])
  const hook = await newMailHook(server, owner)
  await owner.produce('Refused')
  const mails = await mailsOnce(
    server,
    owner,
    hook.id,
    (all) => all.length === 2 && all.every(({ delivered, error }) => delivered || error !== undefined),
  )
  const refused = mails.find(({ delivered }) => !delivered) ?? assert.fail()
  assert.deepEqual(refused.to, [unusable])
  assert.equal(refused.deliveryError, 'An address of this mail is not a single mail address')
  assert.equal(refused.nextAttemptAt, undefined)
  await retry(refused.id)
  await eventually(async () => ((await read(refused.id)).attempts?.length ?? 0) >= 2)
  assert.equal((await read(refused.id)).delivered, false)
  await mailTo(server, owner, [])
})

test('in test mode an address of somebody else gets no mail; the list says so', async () => {
  const careful = await newEventfulOwner(server, 'careful')
  await mailTo(server, careful, ['careful@example.com', 'customer@elsewhere.example'])
  const hook = await newMailHook(server, careful)
  await careful.produce('Plant 9')
  const isSettled = ({ delivered, error }: Mail) => delivered || error !== undefined
  const mails = await mailsOnce(server, careful, hook.id, (all) => all.length === 2 && all.every(isSettled))
  assert.deepEqual(
    mails
      .map(({ to: [to = ''], delivered, deliveryError }) => [to, delivered, deliveryError] as const)
      .toSorted(([one], [other]) => one.localeCompare(other)),
    [
      ['careful@example.com', true, undefined],
      [
        'customer@elsewhere.example',
        false,
        'Not sent: in test mode only confirmed members of the company get mails',
      ],
    ],
  )
  const held = mails.find(({ delivered }) => !delivered) ?? assert.fail()
  const params = { id: held.id }
  const retrying = server.client(careful.admin.accessToken).retryMail({ params, company: careful.company.id })
  await assertRefused(retrying, 'delivery_not_failed')
})

test('a receiver of event mails can unsubscribe with one click', async () => {
  const leaver = await newEventfulOwner(server, 'leaver')
  const hook = await newMailHook(server, leaver)
  await leaver.produce('Plant 10')
  const [mail = assert.fail()] = await mailsOnce(server, leaver, hook.id, allSettled(1))
  const link = (await arrived('leaver@example.com', mail.id)).header('list-unsubscribe').slice(1, -1)
  assert.equal(
    (await fetch(link, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }))
      .status,
    200,
  )
  await leaver.produce('Plant 11')
  const [, second = assert.fail()] = await mailsOnce(server, leaver, hook.id, ({ length }) => length === 2)
  assert.equal(second.deliveryError, 'Not sent: the receiver unsubscribed')
})

test('the last event of a deleted company reaches the address it had', async () => {
  const leaving = await newEventfulOwner(server, 'leaving')
  await verifyCompany(server, await signUpOperator(server), leaving.company.id)
  await mailTo(server, leaving, ['archive@example.com'])
  await newMailHook(server, leaving, { scopes: [{ resource: 'companies', actions: ['delete_one'] }] })
  await server.client(leaving.admin.accessToken).deleteCompany({ params: { id: leaving.company.id } })
  const [raw = ''] = await server.mailsTo('archive@example.com', 1)
  assert.equal(readMessage(Buffer.from(raw)).header('subject'), 'Eine Firma wurde gelöscht: Rolling Mill')
  assert.doesNotMatch(raw, /unsubscribe/i)
})
