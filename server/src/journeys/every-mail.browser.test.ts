import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type EventDeclaration, events, type Language, languages } from '@millseal/contract'
import { openCertificateProcess } from '../../test/certificate-service.ts'
import { findChromium, launchChromium } from '../../test/chromium.ts'
import { sendEveryMail } from '../../test/every-mail.ts'
import { domainOf } from '../../test/mailing-people.ts'
import { findPython, type JudgedMail, judgeMail } from '../../test/mail-judge.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'

const python = await findPython()
const chromium = findChromium()
const noPython = python === undefined ? 'there is no python3 on this machine' : false
const noChromium = chromium === undefined ? 'there is no chromium on this machine' : noPython

type Arrived = {
  readonly to: string
  readonly subject: string
  /** The language of its reader. */
  readonly language: Language
  readonly mail: JudgedMail
  readonly raw: Buffer
}

let server: TestServer
const arrived: Arrived[] = []
before(async () => {
  if (python === undefined) return
  server = await startOwnServer({ environment: { MILLSEAL_MAIL_MIB: '1' } })
  await using process = await openCertificateProcess(server)
  for (const language of languages) await sendEveryMail({ server, deps: process.deps, language })
  const folder = join(server.config.dataDir, 'mails')
  const names = (await readdir(folder)).filter((one) => one.endsWith('.eml'))
  for (const name of names) arrived.push(await read(await readFile(join(folder, name))))
})
after(async () => {
  await (server as TestServer | undefined)?.[Symbol.asyncDispose]()
})

const read = async (raw: Buffer): Promise<Arrived> => {
  const judged = await judgeMail(raw)
  const mail = { ...judged, text: judged.text.replaceAll('\r\n', '\n') }
  const header = headersOf(mail)
  const to = header('to')
  const language = languages.find((one) => to.includes(domainOf(one))) ?? assert.fail(to)
  return { to, subject: header('subject'), language, mail, raw }
}

const headersOf =
  ({ headers }: JudgedMail) =>
  (wanted: string): string =>
    headers.find(([name]) => name === wanted)?.[1].trim() ?? ''

/** The subjects of mails in this language, which are not in two. */
const subjectsIn = (language: Language): readonly string[] =>
  arrived.flatMap((one) => (one.language === language ? one.subject : []))

/** By the name of the reader, which is the same in every language. */
const mailsPerReader = (language: Language): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { to, language: one } of arrived) {
    const [, name = to] = /([a-z]+)(?:-\d+)?@/.exec(to) ?? []
    if (one === language) counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

const withoutNames = (text: string): string =>
  text
    .replaceAll(/https?:\/\/\S+/g, '')
    // As submitted: the paper has the same digits.
    .replaceAll('24567.85 kg', '')

const isInTwo = ({ mail }: Arrived): boolean => mail.text.includes('Certificate / Zeugnis')

const foreign: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:der|das|und|ist|wurden?|nicht|Sie|Ihre?|für|von|gültig|widerrufen)\b|\d,\d{1,2}(?!\d)/,
  de: /\b(?:the|is|of|must|and|has|with|were|this|your|you|for|by|enabled|disabled|valid|revoked)\b|(?<![\d.:/-])\d+\.\d{1,2}(?![\d.])|\d,\d{3}/i,
}

const everyEvent: readonly EventDeclaration[] = events

describe('every kind of mail that the product sends', { skip: noPython }, () => {
  test('arrives in both languages', () => {
    const [english, german] = [subjectsIn('en'), subjectsIn('de')]
    assert.ok(english.length >= 90, `${english.length} mails`)
    assert.ok(german.length >= 90, `${german.length} mails`)
    assert.deepEqual(mailsPerReader('de'), mailsPerReader('en'))
    for (const { summary } of everyEvent)
      assert.ok(
        english.some((subject) => subject.replace('[TEST] ', '').startsWith(summary)),
        summary,
      )
  })

  test('has no word and no number of another language', () => {
    for (const one of arrived) {
      if (isInTwo(one)) continue
      const text = withoutNames(`${one.subject}\n${one.mail.text}`)
      const [found] = foreign[one.language].exec(text) ?? []
      assert.equal(found, undefined, `${one.subject}: ${found}\n${text}`)
    }
  })

  test('says in the subject what happened, without identifiers of ours', () => {
    for (const { subject } of arrived) {
      assert.doesNotMatch(subject, /[\da-f]{8}-[\da-f]{4}-|did:key|\b[\da-f]{64}\b/)
      assert.doesNotMatch(subject, / {2}|^\S+$/)
      // Only a name at the end may be cut.
      assert.doesNotMatch(subject, /….*(?:withdrawn|replaced|notarized|zurückgezogen|ersetzt|notarisiert)/)
    }
  })

  test('says nothing twice, and has no empty line of facts', () => {
    for (const { subject, mail } of arrived) {
      const lines = mail.text.split('\n').filter((line) => line.trim() !== '')
      const sentences = lines.flatMap((line) => line.split(/(?<=[.?!:]) /)).filter((one) => one.length > 25)
      const reasons = sentences.filter((one) => !one.startsWith('http'))
      assert.equal(new Set(reasons).size, reasons.length, `${subject}\n${mail.text}`)
      assert.doesNotMatch(mail.text, / {2}[–-]$/m, subject)
    }
  })

  test('greets in German so that a capital letter may follow', () => {
    const german = arrived.filter(({ mail }) => mail.text.includes('\nGuten Tag'))
    assert.ok(german.length > 0)
    for (const { subject, mail } of german) assert.match(mail.text, /\nGuten Tag[^\n]*!\n\n\p{Lu}/u, subject)
  })

  test('ends with why it came and, if a company sent it, with the link that stops its mails', () => {
    for (const { to, subject, mail } of arrived) {
      const [, end = ''] = mail.text.split('\n-- \n')
      assert.match(end, /^(?:You receive this mail because|Sie erhalten diese E-Mail, weil) /, subject)
      const link = headersOf(mail)('list-unsubscribe').replaceAll(/^<|>$/g, '')
      // The company was deleted before the last ones were sent.
      const isOfDeleted = to.startsWith('events@')
      const isOfAccount = mail.text.includes('\nHello') || mail.text.includes('\nGuten Tag')
      if (link === '') {
        assert.ok(isOfAccount || isOfDeleted, subject)
        assert.doesNotMatch(mail.text + mail.html, /unsubscribe\//, subject)
        continue
      }
      assert.ok(end.trim().endsWith(`:\n${link}`), `${subject}\n${end}`)
      assert.ok(
        mail.references.some(([, , address]) => address === link),
        subject,
      )
    }
  })

  test('is a message as RFC 5322, 2046 and 3834 want it', () => {
    const ids = arrived.map(({ mail }) => headersOf(mail)('message-id'))
    assert.equal(new Set(ids).size, ids.length)
    for (const { subject, mail, raw } of arrived) {
      const header = headersOf(mail)
      assert.deepEqual(mail.faults, [], subject)
      assert.equal(header('auto-submitted'), 'auto-generated', subject)
      assert.match(header('message-id'), /^<[\w.-]+@[\w.]+>$/)
      assert.ok(!Number.isNaN(Date.parse(header('date'))), subject)
      assert.match(JSON.stringify(mail.outline), /"multipart\/alternative",\["text\/plain",/, subject)
      const text = raw.toString('latin1')
      assert.ok(
        text.split('\r\n').every((line) => line.length <= 998),
        subject,
      )
      // The text of a saved mail is not encoded: 8bit of RFC 2045. All else is, and its headers are ASCII.
      assert.doesNotMatch(text, /(?<!\r)\n|[^\t\r\n -~\x80-\xff]/, subject)
      assert.doesNotMatch(text.replaceAll(/8bit\r\n\r\n.*?\r\n----_NmP/gs, ''), /[^\t\r\n -~]/, subject)
    }
  })

  test('fits the smallest phone', { skip: noChromium }, async () => {
    await using browser = await launchChromium(chromium ?? '')
    const page = await browser.newPage({ viewport: { width: 320, height: 700 } })
    for (const { subject, mail } of arrived) {
      await page.setContent(mail.html.replaceAll('cid:', 'data:,'))
      const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.equal(beyond, 0, subject)
    }
  })
})
