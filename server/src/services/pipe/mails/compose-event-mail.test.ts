import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { type EventDeclaration, events, limits } from '@millseal/contract'
import { summarize } from '@millseal/families'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { composeEventMail, type EventToMail } from './compose-event-mail.ts'
import { withUnsubscribeLink } from './hidden-unsubscribe-link.ts'
import { languageOf, type MailLanguage } from '../../../lib/mail-languages.ts'
import { mailIdIn, messageIdIn, messageIdOf } from './message-id.ts'

const eventOf = (payload: object, about: Partial<EventToMail> = {}): EventToMail => ({
  eventId: randomUUID(),
  mode: 'live',
  resource: 'applications',
  action: 'update_one',
  payload: Buffer.from(JSON.stringify(payload)),
  ...about,
})

const compose = (event: EventToMail, language: MailLanguage = 'en', companyName = 'Rolling Mill') =>
  composeEventMail({
    event,
    companyName,
    language,
    publicUrl: 'https://seal.example',
    companyId: 'a-company',
    summarize,
    mailBytes: 2 ** 20,
  })

const place = 'https://seal.example/console/automation?mode=live&company=a-company'
const hidden = 'https://seal.example/unsubscribe/[hidden]'

const hostile = [
  'x\r\nBcc: thief@evil.example',
  'x\u2028Bcc: thief@evil.example',
  '<script>alert(1)</script>',
  '"><img src=https://evil.example onerror=x>',
  'gpj.exe\u202efdp',
  'https://evil.example\n\nOpen Millseal:\nhttps://evil.example',
]

describe('the mail of an event', () => {
  const everyEvent: readonly EventDeclaration[] = events
  test('has a sentence in English and in German for every event', () => {
    for (const { resource, action, summary } of everyEvent) {
      const event = eventOf({ id: 'an id', certificates: [] }, { resource, action })
      const [english, german] = [compose(event, 'en'), compose(event, 'de')]
      assert.equal(english.subject, summary, 'an id says nothing to people')
      assert.notEqual(german.subject, english.subject)
      assert.ok(!german.subject.includes(resource), german.subject)
      for (const { subject, textContent: text, htmlContent: html } of [english, german]) {
        const [heading = ''] = text.split('\n')
        assert.ok(subject.startsWith(heading) && heading.length > 10)
        assert.ok(html.includes(`<h1`) && html.includes(event.eventId) && text.includes(event.eventId))
      }
    }
  })

  test('is marked in test mode only', () => {
    assert.match(compose(eventOf({}, { mode: 'test' })).subject, /^\[TEST\] /)
    assert.match(compose(eventOf({}, { mode: 'test' })).textContent, /^This event is from test mode\.$/m)
    assert.match(compose(eventOf({}, { mode: 'test' })).textContent, /^Mode +Test$/m)
    assert.doesNotMatch(JSON.stringify(compose(eventOf({}))), /TEST|test mode/)
  })

  test('about a certificate names it, its parties and its product, and so does the attachment', () => {
    const certificate = sampleCertificate({ number: 'MC 4711/b' })
    const event = eventOf(certificate, { resource: 'certificates', action: 'notarize_one' })
    const { subject, textContent } = compose(event)
    assert.equal(subject, 'A certificate of the company was notarized: MC 4711/b')
    for (const label of ['Seller', 'Customer', 'Product'])
      assert.match(textContent, new RegExp(`^${label} +\\S`, 'm'))
    assert.equal(compose(event).attachmentName, 'certificate-MC-4711-b.json')
    const tested = compose({ ...event, mode: 'test' }).textContent
    assert.match(tested, /does not describe real material/)
    const unknown = eventOf({ RefSchemaUrl: 'x' }, { resource: 'certificates', action: 'notarize_one' })
    assert.equal(compose(unknown).attachmentName, 'certificate.json')
    assert.ok(compose(unknown).textContent.includes(unknown.eventId))
  })

  test('shows every value of a record as text on one line, in the subject and in both bodies', () => {
    for (const name of hostile) {
      const {
        subject,
        textContent: text,
        htmlContent: html,
      } = compose(eventOf({ name, description: name }), 'en', name)
      assert.doesNotMatch(subject, /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u)
      const lines = text.split('\n')
      assert.equal(
        lines.length,
        compose(eventOf({ name: 'x', description: 'x' })).textContent.split('\n').length,
      )
      assert.deepEqual(
        lines.filter((line) => /^(Bcc:|https:)/.test(line)),
        [place, hidden],
      )
      assert.doesNotMatch(html, /<script|<img|[\u2028\u202e]/)
      assert.deepEqual(
        [...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address?.replaceAll('&amp;', '&')),
        [place, hidden],
      )
    }
  })

  test('says its state in words of the language, and not in the subject', () => {
    for (const [status, words] of [
      ['enabled', 'eingeschaltet'],
      ['obsolete', 'außer Gebrauch'],
      ['another', 'another'],
    ]) {
      const { subject, textContent } = compose(eventOf({ status }, { resource: 'hooks' }), 'de')
      assert.equal(subject, 'Ein Webhook wurde geändert')
      assert.match(textContent, new RegExp(`^Status +${words}$`, 'm'))
    }
  })

  test('opens what it is about, of its company and in its mode', () => {
    const opened = (about: Partial<EventToMail>): string =>
      /^Open Millseal:\n(.*)$/m.exec(compose(eventOf({}, about)).textContent)?.[1] ?? ''
    assert.equal(opened({}), place)
    assert.equal(
      opened({ resource: 'certificates', action: 'receive_one', mode: 'test' }),
      'https://seal.example/console/received?mode=test&company=a-company',
    )
    assert.equal(opened({ resource: 'new' }), 'https://seal.example/console/?mode=live&company=a-company')
  })

  test('gets the link that stops such mails when it is sent, or none if the company was deleted', () => {
    const { textContent, htmlContent } = compose(eventOf({ name: 'x' }))
    const link = 'https://seal.example/unsubscribe/token'
    for (const content of [textContent, htmlContent]) {
      assert.equal(withUnsubscribeLink(content, link), content.replace(hidden, link))
      assert.doesNotMatch(withUnsubscribeLink(content, undefined), /unsubscribe|No more mails/)
    }
    assert.match(withUnsubscribeLink(textContent, link), /^No more mails from Rolling Mill:\n.*token$/m)
  })

  test('says so if its data is too large for a mail', () => {
    assert.match(compose(eventOf({ name: 'x' })).textContent, /is attached/)
    const large = compose(eventOf({ name: 'x'.repeat(500_000) })).textContent
    assert.match(large, /too large for a mail/)
    assert.doesNotMatch(large, /attached/)
  })

  test('has a subject within the maximum length, without cutting a letter in two', () => {
    const { subject } = compose(eventOf({ name: '𝔐'.repeat(120) }))
    assert.equal([...subject].length, limits.mailSubject.maxLength)
    assert.ok(subject.isWellFormed())
  })

  test('has a file name that cannot leave its folder', () => {
    const certificate = sampleCertificate({ number: '../../etc/passwd\u0000"; x=' })
    assert.equal(
      compose(eventOf(certificate, { resource: 'certificates' })).attachmentName,
      'certificate-etc-passwd-x.json',
    )
  })
})

test('the language follows the country in the VAT id: German for German-speaking countries, else English', () => {
  assert.deepEqual(['ATU12345678', 'DE123456789', 'CHE123456789', 'de1'].map(languageOf), [
    'de',
    'de',
    'de',
    'de',
  ])
  assert.deepEqual(['FR12345678901', 'NL123456789B01', ''].map(languageOf), ['en', 'en', 'en'])
})

test('a mail is found by its Message-ID, and by nothing else', () => {
  const mail = { id: randomUUID(), eventId: randomUUID() }
  const messageId = messageIdOf(mail)
  const mailIn = (text: string): string | undefined => {
    const id = messageIdIn(text, 'seal.example')
    return id === undefined ? undefined : mailIdIn(id)
  }
  assert.equal(mailIn(`<${messageId}@seal.example>`), mail.id)
  assert.equal(mailIn(`${messageId}@seal.example`), mail.id)
  for (const other of ['', messageId, `<${mail.id}@seal.example>`, `<x${messageId}@seal.example>`]) {
    assert.equal(mailIn(other), undefined)
  }
  assert.equal(mailIn(`<${messageId}@elsewhere.example>`), undefined)
})
