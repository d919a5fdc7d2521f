import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Mail, type Mailer, MailRefused } from './mailer.ts'
import { type ReadMessage, readMessage } from '../../lib/read-message.ts'
import { generousDeadline } from '../../../test/eventually.ts'

export type Delivered = { readonly raw: Buffer; readonly recipients: readonly string[] }

export interface MailerUnderTest extends AsyncDisposable {
  readonly mailer: Mailer
  /** The mails that have arrived so far, with their recipients. */
  delivered(): Promise<readonly Delivered[]>
}

/** The address every adapter under test sends from. */
export const suiteSender = 'Prüfstelle <seal@mill.example>'

const hostileTexts = [
  'x\r\nBcc: thief@evil.example',
  'x\nBcc: thief@evil.example\n\nnew body',
  'x\rBcc: thief@evil.example',
  'x\u2028Bcc: thief@evil.example',
  'a, thief@evil.example',
  'a <thief@evil.example>',
  '"a" <thief@evil.example>, "b"',
  'group: thief@evil.example;',
  '=?utf-8?B?DQpCY2M6IHRoaWVmQGV2aWwuZXhhbXBsZQ==?=',
  'x"; filename="other',
  '\0\u001b[2J',
]

const hostileAddresses = [
  ...hostileTexts,
  'a@mill.example, thief@evil.example',
  'a@mill.example\r\nRCPT TO:<thief@evil.example>',
  'a@mill.example\r\nBcc: thief@evil.example',
  '<a@mill.example> thief@evil.example',
  'a@mill.example>,<thief@evil.example',
  'a(comment)@mill.example',
  '"a b"@mill.example',
  'a@mill.example;thief@evil.example',
  'a@[127.0.0.1]',
  'a@mill.example SIZE=1',
  'no-at-sign',
  '@mill.example',
  'a@',
  '',
]

/** The guarantees of every mailer. */
export const describeMailer = (name: string, open: () => Promise<MailerUnderTest>): void => {
  describe(`the ${name} mailer`, () => {
    describeContent(open)
    describeInjection(open)
    describeRefusals(open)
    describeIdentity(open)
  })
}

const describeContent = (open: () => Promise<MailerUnderTest>): void => {
  test('names, subject and texts in any language arrive unchanged', async () => {
    const to = [{ name: 'Łucja Żółć', address: 'lucja@mill.example' }]
    const cc = [
      { name: '製鉄所, 品質', address: 'quality@xn--fiqs8s.example' },
      { address: 'bare@mill.example' },
    ]
    const subject = `Zeugnis für Blech № 7: ${'geprüft '.repeat(30)}✓`
    const text = 'Grüße aus dem Walzwerk\n.\n.. Punkte am Zeilenanfang\nFrom here\n'
    const { message, recipients } = await send(open, { to, cc, subject, text, html: '<p>Grüße</p>' })
    assert.equal(message.header('subject'), subject)
    assert.match(message.header('from'), /Prüfstelle.*<seal@mill\.example>/)
    assert.match(message.header('to'), /Łucja Żółć.*<lucja@mill\.example>/)
    assert.match(message.header('cc'), /製鉄所, 品質/)
    assert.deepEqual(recipients.toSorted(), [
      'bare@mill.example',
      'lucja@mill.example',
      'quality@xn--fiqs8s.example',
    ])
    const [plain, html] = message.parts
    assert.equal(plain?.type, 'text/plain')
    assert.equal(plain.content.toString('utf8').replaceAll('\r\n', '\n').trim(), text.trim())
    assert.equal(html?.content.toString('utf8').trim(), '<p>Grüße</p>')
  })
}

const describeInjection = (open: () => Promise<MailerUnderTest>): void => {
  test('attachments of any type arrive unchanged', async () => {
    const types = [
      'application/pdf',
      'text/plain',
      'message/rfc822',
      'application/json; charset=utf-8',
      'nonsense\r\nX: y',
    ]
    const attachments = types.map((type, index) => ({
      filename: `Prüfzeugnis ${index} – 2.1 €.bin`,
      type,
      content: Buffer.concat([Buffer.from('a\nb\r\nc\rd\0\r\n.\r\n'), randomBytes(3_000)]),
    }))
    const { message } = await send(open, { attachments })
    const received = message.parts.slice(1)
    assert.deepEqual(
      received.map(({ filename }) => filename),
      attachments.map(({ filename }) => filename),
    )
    for (const [index, { content }] of attachments.entries())
      assert.ok(received[index]?.content.equals(content), types[index])
    assert.equal(received[4]?.type, 'application/octet-stream')
  })

  for (const hostile of hostileTexts) {
    test(`${JSON.stringify(hostile)} as name, subject or file name adds neither a header nor a recipient`, async () => {
      const clean = await send(open, {
        attachments: [{ filename: 'x', type: 'text/plain', content: Buffer.from('x') }],
      })
      const { message, recipients } = await send(open, {
        to: [{ name: hostile, address: 'lucja@mill.example' }],
        subject: hostile,
        attachments: [{ filename: hostile, type: `text/plain; ${hostile}`, content: Buffer.from('x') }],
      })
      assert.deepEqual(recipients, ['lucja@mill.example'])
      assert.deepEqual(message.recipients, ['lucja@mill.example'])
      assert.deepEqual(message.headerNames, clean.message.headerNames)
      assert.equal(message.parts.length, 2)
    })
  }
}

const describeRefusals = (open: () => Promise<MailerUnderTest>): void => {
  test('anything but a single address is refused, and nothing is sent', async () => {
    await using opened = await open()
    for (const address of hostileAddresses) {
      await assert.rejects(
        opened.mailer.send(mailWith({ to: [{ address }] })),
        MailRefused,
        JSON.stringify(address),
      )
      const cc = [{ address }]
      await assert.rejects(opened.mailer.send(mailWith({ cc })), MailRefused, JSON.stringify(address))
    }
    const many = Array.from({ length: 51 }, (_, index) => ({ address: `a${index}@mill.example` }))
    for (const to of [[], many]) await assert.rejects(opened.mailer.send(mailWith({ to })), MailRefused)
    for (const id of ['../up', 'a b', 'a>\r\nX: y', '']) {
      await assert.rejects(opened.mailer.send(mailWith({ id })), MailRefused)
    }
    assert.deepEqual(await opened.delivered(), [])
  })

  test('a refusal contains no address, because it is logged', async () => {
    await using opened = await open()
    const refusal = opened.mailer.send(mailWith({ to: [{ address: 'lucja@@mill.example' }] }))
    await assert.rejects(refusal, (error: Error) => !error.message.includes('lucja'))
  })
}

const describeIdentity = (open: () => Promise<MailerUnderTest>): void => {
  test('the Message-ID is derived from the id of the mail and is the same for every attempt', async () => {
    const [one, two] = [await send(open, { id: 'event-7' }), await send(open, { id: 'event-7' })]
    assert.equal(one.message.header('message-id'), '<event-7@mill.example>')
    assert.equal(two.message.header('message-id'), '<event-7@mill.example>')
  })

  test('a text that looks like a path or a URL is sent unchanged and never fetched', async () => {
    const { message } = await send(open, {
      text: 'file:///etc/passwd',
      html: '<img src="file:///etc/passwd">',
    })
    assert.equal(message.parts[0]?.content.toString().trim(), 'file:///etc/passwd')
    assert.equal(message.parts[1]?.content.toString().trim(), '<img src="file:///etc/passwd">')
  })

  test('check resolves if a mail can be sent now', async () => {
    await using opened = await open()
    await opened.mailer.check(generousDeadline())
    await assert.rejects(opened.mailer.check(AbortSignal.abort()))
    assert.deepEqual(await opened.delivered(), [])
  })
}

type Sent = Delivered & { readonly message: ReadMessage }

/** Sends one mail through a new mailer and reads the mail that arrives. */
const send = async (open: () => Promise<MailerUnderTest>, changes: Partial<Mail>): Promise<Sent> => {
  await using opened = await open()
  await opened.mailer.send(mailWith(changes))
  const [only, ...others] = await opened.delivered()
  assert.ok(only)
  assert.equal(others.length, 0)
  return { ...only, message: readMessage(only.raw) }
}

export const mailWith = (changes: Partial<Mail> = {}): Mail => ({
  id: '0198f2c0-0000-7000-8000-000000000001',
  to: [{ address: 'lucja@mill.example' }],
  subject: 'A certificate',
  text: 'It was notarized.',
  ...changes,
})
