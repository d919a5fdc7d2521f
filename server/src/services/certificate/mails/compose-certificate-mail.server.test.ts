import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { codeOf } from '../hashing/code.ts'
import { readCertificate } from '@millseal/families'
import { sql } from 'kysely'
import { jobOf } from '../../../../test/certificate-service.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import type { Owner } from '../../../../test/machines.ts'
import { signUp } from '../../../../test/people.ts'
import type { TestServer } from '../../../../test/test-server.ts'
import type { Mail } from '../../../ports/mailer/mailer.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { eraseBodies } from '../certificates/certificates.store.ts'
import { sendCertificateMail } from './certificate-mail.ts'
import { issuer, type MailingMill, openMailingMill, receiver } from './mailing-mill.suite.ts'

let opened: MailingMill
let server: TestServer
let deps: CertificateDependencies
let mill: Owner
before(async () => {
  opened = await openMailingMill('composing-mill')
  ;({ server, deps, mill } = opened)
})
after(() => opened[Symbol.asyncDispose]())

describe('the mail about a notarized certificate', () => {
  const sent = async (
    certificate: object,
    mode: 'test' | 'live' = 'live',
    addresses: readonly [string, string] = ['ours@example.com', 'theirs@example.com'],
  ): Promise<readonly [Mail, Mail]> => {
    const certificateId = await opened.notarized(certificate, mode)
    const { mailer, mails } = opened.watched()
    const recipients = [issuer(addresses[0]), receiver(addresses[1])]
    await sendCertificateMail({ ...deps, mailer }, jobOf({ certificateId, recipients }))
    const [ours, theirs, ...others] = mails
    assert.ok(ours !== undefined && theirs !== undefined)
    assert.deepEqual(others, [])
    return [ours, theirs]
  }

  test('carries the JSON as it was received and the PDF, and states the facts', async () => {
    const certificate = sampleCertificate({ number: 'MC/47 11' })
    const [ours, theirs] = await sent(certificate)
    assert.deepEqual(ours.to, [{ address: 'ours@example.com' }])
    assert.deepEqual(
      ours.attachments?.map(({ filename, type, content }) => [
        filename,
        type,
        type === 'image/png' ? '' : Buffer.from(content).toString(),
      ]),
      [
        ['logo.png', 'image/png', ''],
        ['certificate-MC-47-11.json', 'application/json', JSON.stringify(certificate)],
        ['certificate-MC-47-11.pdf', 'application/pdf', '%PDF-1.7 sample'],
      ],
    )
    assert.equal(ours.subject, 'Certificate MC/47 11 from Rolling Mill')
    assert.equal(theirs.subject, ours.subject)
    const { hash } = readCertificate(Buffer.from(JSON.stringify(certificate)))
    const facts = [
      'The JSON and PDF files are attached. Keep them unchanged.',
      '',
      'Die JSON- und die PDF-Datei sind angehängt. Bewahren Sie beide unverändert auf.',
      '',
      'Certificate / Zeugnis                 MC/47 11',
      'Seller / Verkäufer                    Rolling Mill',
      'Customer / Kunde                      Bridge Works',
      'Product / Erzeugnis                   Hot rolled plate',
      'Heat or batch / Schmelze oder Charge  175508, 175508-1',
      'Order / Bestellung                    PO-4711 / 10',
      'Delivery / Lieferung                  DN-815',
      'Recorded / Eingetragen                2026-02-03 04:05:06 UTC',
      `SHA-256                               ${hash}`,
      `Transaction / Transaktion             ${'ab'.repeat(32)}`,
      '',
      'Verify / Prüfen:',
      `${server.url}/v/${codeOf(hash)}`,
      '',
      'Anyone can verify either file there, without an account.',
      '',
      'Dort kann jeder beide Dateien prüfen, ohne Konto.',
      '',
      '-- ',
    ].join('\n')
    const end = (why: readonly string[]) =>
      [...why, 'No more mails from Rolling Mill / Keine E-Mails mehr von Rolling Mill:'].join('\n')
    assert.equal(
      ours.text.replace(/\n.*$/, ''),
      `Rolling Mill\n\nYour certificate was notarized\nIhr Zeugnis wurde notarisiert\n\n${facts}\n${end([
        'You receive this mail because Rolling Mill notarized this certificate, and you are one of its contacts.',
        'Sie erhalten diese E-Mail, weil Rolling Mill dieses Zeugnis notarisiert hat und Sie dort als Kontakt hinterlegt sind.',
      ])}`,
    )
    assert.equal(
      theirs.text.replace(/\n.*$/, ''),
      `Rolling Mill\n\nA certificate for you was notarized\nEin Zeugnis für Sie wurde notarisiert\n\n${facts}\n${end(
        [
          'You receive this mail because Rolling Mill names your address in this certificate.',
          'Sie erhalten diese E-Mail, weil Rolling Mill Ihre Adresse in diesem Zeugnis nennt.',
        ],
      )}`,
    )
    for (const mail of [ours, theirs]) {
      assert.ok(mail.text.endsWith(`\n${mail.unsubscribeUrl}`))
      assert.match(mail.unsubscribeUrl ?? '', new RegExp(`^${server.url}/unsubscribe/[\\w-]{43}$`))
    }
    assert.notEqual(ours.unsubscribeUrl, theirs.unsubscribeUrl)
  })

  test('is in the language that the certificate names, or in both; in English if it names none of ours', async () => {
    const inLanguages = async (...CertificateLanguages: string[]): Promise<Mail> => {
      const certificate = sampleCertificate({ number: 'MC-1' })
      const languages = { ...certificate.Certificate, CertificateLanguages }
      const [, theirs] = await sent({ ...certificate, Certificate: languages })
      return theirs
    }
    const german = await inLanguages('DE')
    assert.equal(german.subject, 'Zeugnis MC-1 von Rolling Mill')
    assert.match(german.text, /^Prüfen:$/m)
    assert.doesNotMatch(german.text, /Verify|You receive/)
    const english = await inLanguages('EN')
    assert.doesNotMatch(english.text, /Prüfen|Sie erhalten/)
    const both = await inLanguages('DE', 'EN')
    assert.equal(both.subject, german.subject)
    assert.match(both.text, /^Prüfen \/ Verify:$/m)
    for (const tag of ['FR', 'ZH'])
      assert.equal((await inLanguages(tag)).text.split('\n')[2], 'A certificate for you was notarized')
  })

  test('names the company that notarized the certificate, whichever seller the certificate names', async () => {
    const certificate = sampleCertificate({ number: 'MC-1' })
    const { CommercialTransaction } = certificate.Certificate
    const [ours, theirs] = await sent({
      ...certificate,
      Certificate: {
        ...certificate.Certificate,
        CommercialTransaction: {
          ...CommercialTransaction,
          A01: { ...CommercialTransaction.A01, Name: 'Foreign Works' },
        },
      },
    })
    assert.equal(theirs.subject, 'Certificate MC-1 from Rolling Mill')
    assert.equal(ours.subject, theirs.subject)
  })

  test('marks test mode, in which members of the company get it', async () => {
    const person = await signUp(server, 'quality-lab')
    await server.client(mill.admin.accessToken).addMember({
      params: { id: mill.company.id },
      body: { email: person.email, role: 'operator' },
    })
    const certificate = sampleCertificate({ number: 'MC-1' })
    const [{ subject, text }] = await sent(certificate, 'test', [mill.admin.email, person.email])
    assert.equal(subject, '[TEST] Certificate MC-1 from Rolling Mill')
    assert.match(text, /^This is a test certificate: it does not describe real material\.$/m)
    assert.match(text, /^Dies ist ein Testzeugnis: Es beschreibt kein echtes Material\.$/m)
  })

  test('has a link instead of attachments if mail servers would reject its size, and says so', async () => {
    const certificateId = await opened.notarized(sampleCertificate({ number: 'MC-BIG' }))
    const { mailer, mails } = opened.watched()
    const recipients = [receiver('big@example.com')]
    const small = { ...deps, mailer, mailBytes: 512 * 1024 }
    await sendCertificateMail(small, jobOf({ certificateId, recipients }))
    const [mail = assert.fail()] = mails
    assert.deepEqual(
      mail.attachments?.map(({ filename }) => filename),
      ['logo.png'],
    )
    assert.match(
      mail.text,
      /^The JSON and PDF files are too large for a mail \(0\.1 MiB\)\. You can download them until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\.$/m,
    )
    assert.match(mail.text, /^Die JSON- .* \(0,1 MiB\)\. Sie können beide bis \d{4}-.* UTC herunterladen\.$/m)
    const [link = ''] = /http\S+\/files\/[\w-]{43}/.exec(mail.text) ?? []
    const { rows } = await sql<{ row: string }>`select l::text as row from certificate_links l`.execute(
      deps.database.query,
    )
    assert.ok(rows.length > 0 && rows.every(({ row }) => !row.includes(link.split('/files/')[1] ?? '')))
    const page = await fetch(link)
    assert.equal(page.status, 200)
    assert.match(await page.text(), /MC-BIG/)
    const pdf = await fetch(`${link}/pdf`)
    assert.equal(await pdf.text(), '%PDF-1.7 sample')
    assert.equal(pdf.headers.get('content-disposition'), 'attachment; filename="certificate-MC-BIG.pdf"')
    assert.equal(
      ((await (await fetch(`${link}/json`)).json()) as { RefSchemaUrl: string }).RefSchemaUrl.length > 0,
      true,
    )
    for (const wrong of [`${link}x`, `${server.url}/files/${'A'.repeat(43)}`])
      assert.equal((await fetch(wrong)).status, 401)
    await eraseBodies(deps.database.query, new Date(Date.now() + 2 * 86_400_000))
    assert.equal((await fetch(`${link}/json`)).status, 401)
  })

  test('does not mark live mode', async () => {
    const [{ subject, text }] = await sent(sampleCertificate({ number: 'MC-1' }), 'live')
    assert.equal(subject, 'Certificate MC-1 from Rolling Mill')
    assert.doesNotMatch(text, /test/)
    assert.match(text, /\/v\/[\w-]{22}/)
  })

  test('names its files after the hash if the number has no usable character', async () => {
    const certificate = sampleCertificate({ number: '№…' })
    const [{ attachments }] = await sent(certificate)
    const { hash } = readCertificate(Buffer.from(JSON.stringify(certificate)))
    assert.equal(attachments?.[1]?.filename, `certificate-${hash.slice(0, 12)}.json`)
  })

  test('shortens a long number in file name and subject', async () => {
    const [{ attachments, subject }] = await sent(sampleCertificate({ number: 'N'.repeat(200) }))
    assert.equal(attachments?.[1]?.filename, `certificate-${'N'.repeat(60)}.json`)
    assert.ok(subject.length <= 120)
  })
})
