import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { SMTPServer } from 'smtp-server'
import { createSmtpMailer } from '../../../adapters/mailer/smtp.ts'
import { Secret } from '../../../lib/secret.ts'
import { jobOf, openCertificateProcess } from '../../../../test/certificate-service.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { findChromium, launchChromium } from '../../../../test/chromium.ts'
import { findViolations } from '../../../../test/axe.ts'
import { eventually } from '../../../../test/eventually.ts'
import { newLiveOwner } from '../../../../test/machines.ts'
import { findPython, type JudgedMail, judgeMail } from '../../../../test/mail-judge.ts'
import { newMailHook } from '../../../../test/mail-hooks.ts'
import { notarizeSample } from '../../../../test/offline.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { sendCertificateMail } from './certificate-mail.ts'
import { sendFailureMail } from './failure-mail.ts'

const python = await findPython()
const chromium = findChromium()
const noPython = python === undefined ? 'there is no python3 on this machine' : false
const noChromium = chromium === undefined ? 'there is no chromium on this machine' : noPython

/** Mails of every kind that a company and its receivers get, as they arrived. */
type Arrived = { readonly name: string; readonly mail: JudgedMail }

let server: TestServer
const arrived: Arrived[] = []
/** The one with a logo, in two languages, received by a real mail server. */
let certificateMail: JudgedMail

before(async () => {
  if (python === undefined) return
  server = await startTestServer()
  const overSmtp = await sendEveryKind()
  certificateMail = await judgeMail(overSmtp)
  arrived.push({ name: 'certificate over SMTP', mail: certificateMail })
  const folder = join(server.config.dataDir, 'mails')
  for (const name of (await readdir(folder)).filter((one) => one.endsWith('.eml'))) {
    const mail = await judgeMail(await readFile(join(folder, name)))
    arrived.push({ name: headerOf(mail, 'subject'), mail })
  }
})
after(async () => {
  await (server as TestServer | undefined)?.[Symbol.asyncDispose]()
})

const hostile = '<script>alert(1)</script> "><img src=https://evil.example> & Söhne'

const sendEveryKind = async (): Promise<Buffer> => {
  // Registers, confirms, founds a company, is reviewed, and adds an authenticator.
  const { admin, company } = await newLiveOwner(server, 'writing-mill')
  const client = server.client(admin.accessToken)
  await newMailHook(
    server,
    { admin, company },
    { scopes: [{ resource: 'certificates', actions: ['notarize_one'], mode: 'live' }] },
  )
  const identity = await newIdentity(client, company.id, 'live')
  const certificate = sampleCertificate({ number: 'MC-4711' })
  certificate.Certificate.ProductDescription.B01 = hostile
  const { id } = await notarizeSample(client, { company: company.id, identity, mode: 'live', certificate })
  await client.withdrawCertificate({ company: company.id, params: { id }, body: { reason: hostile } })
  await client.requestPasswordReset({ params: { email: admin.email } })
  await using process = await openCertificateProcess(server)
  const { deps } = process
  await sendFailureMail(deps, jobOf({ certificateId: id, address: admin.email }))
  for (const about of [
    /wurde notarisiert/,
    /was withdrawn/,
    /Passwort fest/,
    /Authenticator/,
    /Certificate MC-4711 from/,
  ])
    await server.mailsTo(admin.email, 1, about)
  await using smtp = await startSmtp()
  await using mailer = createSmtpMailer({
    url: new Secret(`smtp://127.0.0.1:${smtp.port}`),
    from: 'Millseal <seal@mill.example>',
    clock: server.clock,
  })
  const recipients = [{ address: 'goods-in@customer.example', as: 'receiver' }] as const
  await sendCertificateMail({ ...deps, mailer }, jobOf({ certificateId: id, recipients }))
  await eventually(() => smtp.received.length === 1)
  return smtp.received[0] ?? assert.fail()
}

const startSmtp = async () => {
  const received: Buffer[] = []
  const mailServer = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push(Buffer.concat(chunks))
        done()
      })
    },
  })
  mailServer.server.listen(0, '127.0.0.1')
  await once(mailServer.server, 'listening')
  const address = mailServer.server.address()
  assert.ok(address !== null && typeof address === 'object')
  return {
    port: address.port,
    received,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => mailServer.close(() => resolve())),
  }
}

const headerOf = ({ headers }: JudgedMail, wanted: string): string =>
  headers.find(([name]) => name === wanted)?.[1].trim() ?? ''

const withoutBlanks = (text: string): string => text.replaceAll(/\s+/g, '')

describe('every mail, read by the parsers of Python', { skip: noPython }, () => {
  test('is of one of at least seven kinds', () => {
    assert.ok(new Set(arrived.map(({ name }) => name)).size >= 7, arrived.map(({ name }) => name).join('\n'))
  })

  test('is a well-formed message with text and HTML that say the same', () => {
    for (const { name, mail } of arrived) {
      assert.deepEqual(mail.faults, [], name)
      const text = mail.text.replace(/^-- $/m, '')
      assert.ok(text.length > 100, name)
      assert.equal(withoutBlanks(mail.htmlText), withoutBlanks(text), name)
    }
  })

  test('has no script, no form, no table, and nothing that is loaded from elsewhere', () => {
    const allowed = ['a', 'body', 'div', 'h1', 'head', 'html', 'img', 'meta', 'p', 'span', 'style', 'title']
    for (const { name, mail } of arrived) {
      assert.deepEqual(
        mail.tags.filter((tag) => !allowed.includes(tag)),
        [],
        name,
      )
      for (const [tag, attribute, value] of mail.references) {
        if (tag === 'a' && attribute === 'href') assert.ok(value.startsWith(server.url), `${name}: ${value}`)
        else
          assert.ok(mail.contentIds.includes(`<${value.replace(/^cid:/, '')}>`), `${name}: ${tag} ${value}`)
      }
    }
  })

  test('says that a machine wrote it, and has each header once', () => {
    for (const { name, mail } of arrived) {
      assert.equal(headerOf(mail, 'auto-submitted'), 'auto-generated', name)
      assert.match(
        headerOf(mail, 'message-id'),
        /^<[\w.-]+@[\w.]+>$/,
        `${name}: ${headerOf(mail, 'message-id')}`,
      )
      assert.ok(!Number.isNaN(Date.parse(headerOf(mail, 'date'))), name)
      const names = mail.headers.map(([header]) => header)
      assert.equal(new Set(names).size, names.length, name)
    }
  })

  test('about a certificate has the logo inside, and PDF and JSON attached', () => {
    assert.deepEqual(certificateMail.outline, [
      'multipart/mixed',
      [
        ['multipart/alternative', ['text/plain', ['multipart/related', ['text/html', 'image/png']]]],
        'application/json',
        'application/pdf',
      ],
    ])
    assert.deepEqual(
      certificateMail.attachments.map(([filename]) => filename),
      ['certificate-MC-4711.json', 'certificate-MC-4711.pdf'],
    )
    assert.match(certificateMail.html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/)
    assert.match(certificateMail.text, /& Söhne/)
  })
})

describe('a mail in a browser', { skip: noChromium }, () => {
  let browser: Browser
  before(async () => {
    if (chromium !== undefined) browser = await launchChromium(chromium)
  })
  after(() => browser.close())

  const looks = [
    { name: 'light', width: 1_000, colorScheme: 'light' },
    { name: 'dark', width: 1_000, colorScheme: 'dark' },
    { name: 'phone', width: 360, colorScheme: 'light' },
    { name: 'phone, dark', width: 360, colorScheme: 'dark' },
  ] as const

  for (const { name, width, colorScheme } of looks) {
    test(`${name}: fits, can be read, runs nothing and loads nothing`, async () => {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
      const page = await context.newPage()
      const asked: string[] = []
      const dialogs: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      page.on('dialog', (dialog) => {
        dialogs.push(dialog.message())
        void dialog.dismiss()
      })
      for (const { mail } of arrived) {
        await page.setContent(mail.html)
        const { overflow, unreadable, texts, widest, isDark } = await look(page)
        assert.ok(texts > 3 && widest <= 600, `${widest} pixels wide`)
        assert.equal(isDark, colorScheme === 'dark')
        assert.deepEqual({ overflow, unreadable }, { overflow: 0, unreadable: [] }, headerOf(mail, 'subject'))
        assert.deepEqual(await violations(page), [], headerOf(mail, 'subject'))
      }
      assert.deepEqual(
        asked.filter((url) => !url.startsWith('cid:')),
        [],
      )
      assert.deepEqual(dialogs, [])
      await context.close()
    })
  }
})

/** What axe finds. A mail is shown within the page of a mail program, which has the landmarks. */
const violations = (page: Page): ReturnType<typeof findViolations> =>
  findViolations(page, { without: ['landmark-one-main', 'region'] })

/** By how much the page is too wide, and the texts with a contrast below 4.5:1 (WCAG 1.4.3). */
type Look = {
  readonly overflow: number
  readonly unreadable: readonly string[]
  readonly texts: number
  readonly widest: number
  readonly isDark: boolean
}

const look = (page: Page): Promise<Look> =>
  page.evaluate(`(() => {
    const channels = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number)
    const backgroundOf = (element) => {
      if (element === null) return 'rgb(255, 255, 255)'
      const { backgroundColor } = getComputedStyle(element)
      return channels(backgroundColor)[3] === 0 ? backgroundOf(element.parentElement) : backgroundColor
    }
    const luminance = (color) => {
      const [red, green, blue] = channels(color).map((value) => {
        const part = value / 255
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const contrast = (element) => {
      const both = [getComputedStyle(element).color, backgroundOf(element)].map(luminance)
      return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05)
    }
    const texts = [...document.body.querySelectorAll('*')].filter((element) =>
      [...element.childNodes].some(({ nodeType, textContent }) => nodeType === 3 && textContent.trim() !== ''),
    )
    return {
      overflow: Math.max(0, document.documentElement.scrollWidth - innerWidth),
      unreadable: texts.filter((element) => !(contrast(element) >= 4.5)).map(({ outerHTML }) => outerHTML),
      texts: texts.length,
      widest: Math.max(...texts.map((element) => element.getBoundingClientRect().width)),
      isDark: luminance(getComputedStyle(document.body).backgroundColor) < 0.1,
    }
  })()`)
