import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { type EventDeclaration, events, limits } from '@millseal/contract'
import { summarize } from '@millseal/families'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { composeEventMail, type EventToMail } from './compose-event-mail.ts'
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
    consoleUrl: 'https://seal.example',
    summarize,
    mailBytes: 2 ** 20,
  })

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
      assert.equal(english.subject, resource === 'certificates' ? summary : `${summary}: an id`)
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
    assert.match(compose(eventOf({}, { mode: 'test' })).textContent, /does not describe real material/)
    assert.match(compose(eventOf({}, { mode: 'test' })).textContent, /^Mode +Test$/m)
    assert.doesNotMatch(JSON.stringify(compose(eventOf({}))), /TEST|real material/)
  })

  test('about a certificate names it, its parties and its product, and so does the attachment', () => {
    const certificate = sampleCertificate({ number: 'MC 4711/b' })
    const event = eventOf(certificate, { resource: 'certificates', action: 'notarize_one' })
    const { subject, textContent } = compose(event)
    assert.equal(subject, 'A certificate of the company was notarized: MC 4711/b')
    for (const label of ['Seller', 'Customer', 'Product'])
      assert.match(textContent, new RegExp(`^${label} +\\S`, 'm'))
    assert.equal(compose(event).attachmentName, 'certificate-MC-4711-b.json')
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
        ['https://seal.example'],
      )
      assert.doesNotMatch(html, /<script|<img|[\u2028\u202e]/)
      assert.deepEqual(html.match(/href="[^"]*"/g), ['href="https://seal.example"'])
    }
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
