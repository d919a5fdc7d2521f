import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readCertificate, partiesOf } from '@millseal/families'
import { createEmlFolderMailer } from '../../../adapters/mailer/eml-folder.ts'
import { acceptCertificate, jobOf, jobsAbout } from '../../../../test/certificate-service.ts'
import { claimOne } from '../notarizations/claimed.suite.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import type { Owner } from '../../../../test/machines.ts'
import type { TestServer } from '../../../../test/test-server.ts'
import type { Mail, Mailer } from '../../../ports/mailer/mailer.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { codeOf } from '../hashing/code.ts'
import { openMill, type OpenedMill } from '../mill.suite.ts'
import { eraseBodies } from '../notarizations/certificates.store.ts'
import { endNotarization, storePdf } from '../notarizations/progress.store.ts'
import { certificateMail, enqueueCertificateMail, sendCertificateMail } from './certificate-mail.ts'

let opened: OpenedMill
let server: TestServer
let deps: CertificateDependencies
let mill: Owner
before(async () => {
  opened = await openMill('mailing-mill')
  ;({ server, deps, mill } = opened)
})
after(() => opened[Symbol.asyncDispose]())

const recordedAt = new Date('2026-02-03T04:05:06.789Z')

const notarized = async (certificate: object, mode: 'test' | 'live' = 'test'): Promise<string> => {
  const { company } = mill
  const id = await acceptCertificate(deps, {
    companyId: company.id,
    identityId: company.id,
    certificate,
    mode,
  })
  await claimOne(deps, id)
  await storePdf(deps.database.query, { id, pdf: Buffer.from('%PDF-1.7 sample'), pdfHash: 'cd'.repeat(32) })
  const end = { state: 'notarized', transactionId: 'ab'.repeat(32), recordedAt } as const
  await endNotarization(deps.database.query, id, end, new Date())
  return id
}

/** The real mailer, recording the mails it accepts. Mails to `unreachable` go to a mailer whose folder cannot exist. */
const watched = (
  unreachable: readonly string[] = [],
): { readonly mailer: Mailer; readonly mails: Mail[] } => {
  const mails: Mail[] = []
  const broken = createEmlFolderMailer({
    folder: join(import.meta.filename, 'mails'),
    from: 'server@localhost',
    clock: deps.clock,
  })
  const mailer: Mailer = {
    ...deps.mailer,
    send: async (mail) => {
      const isUnreachable = mail.to.some(({ address }) => unreachable.includes(address))
      await (isUnreachable ? broken : deps.mailer).send(mail)
      mails.push(mail)
    },
  }
  return { mailer, mails }
}

const issuer = (address: string) => ({ address, as: 'issuer' }) as const
const receiver = (address: string) => ({ address, as: 'receiver' }) as const

describe('who gets the mail about a notarized certificate', () => {
  const recipientsOf = async (certificate: object) => {
    const certificateId = await notarized(certificate)
    const parties = partiesOf(readCertificate(Buffer.from(JSON.stringify(certificate))))
    await deps.database.transaction((tx) =>
      enqueueCertificateMail(deps, tx, { certificateId, companyId: mill.company.id, parties }),
    )
    return (await jobsAbout(deps, certificateMail, certificateId)).map(({ recipients }) => recipients)
  }

  const withEmails = (seller: string | string[], buyer: string | string[]) => {
    const certificate = sampleCertificate()
    const { A01, A06, ...rest } = certificate.Certificate.CommercialTransaction
    const CommercialTransaction = { ...rest, A01: { ...A01, Email: seller }, A06: { ...A06, Email: buyer } }
    return { ...certificate, Certificate: { ...certificate.Certificate, CommercialTransaction } }
  }

  test('are the contacts of the issuer, then the senders, then the receivers, in one job', async () => {
    assert.deepEqual(await recipientsOf(withEmails('mill@example.com', 'goods-in@example.com')), [
      [issuer(mill.admin.email), issuer('mill@example.com'), receiver('goods-in@example.com')],
    ])
  })

  test('an address gets one mail, however often and in whichever case it is named', async () => {
    const seller = mill.admin.email.toUpperCase()
    assert.deepEqual(await recipientsOf(withEmails(seller, 'Goods-In@Example.com')), [
      [issuer(mill.admin.email), receiver('goods-in@example.com')],
    ])
  })
})

describe('the mail about a notarized certificate', () => {
  const sent = async (
    certificate: object,
    mode: 'test' | 'live' = 'test',
  ): Promise<readonly [Mail, Mail]> => {
    const certificateId = await notarized(certificate, mode)
    const { mailer, mails } = watched()
    const recipients = [issuer('ours@example.com'), receiver('theirs@example.com')]
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
        Buffer.from(content).toString(),
      ]),
      [
        ['certificate-MC-47-11.json', 'application/json', JSON.stringify(certificate)],
        ['certificate-MC-47-11.pdf', 'application/pdf', '%PDF-1.7 sample'],
      ],
    )
    assert.equal(ours.subject, '[TEST] Certificate MC/47 11 from Rolling Mill')
    assert.equal(theirs.subject, ours.subject)
    const { hash } = readCertificate(Buffer.from(JSON.stringify(certificate)))
    const facts = [
      'This is a test certificate: it does not describe real material.',
      '',
      'Certificate MC/47 11',
      'Seller      Rolling Mill',
      'Buyer       Bridge Works',
      'Product     Hot rolled plate',
      'Order       PO-4711 / 10',
      'Delivery    DN-815',
      'Recorded    2026-02-03T04:05:06.789Z',
      `SHA-256     ${hash}`,
      `Transaction ${'ab'.repeat(32)}`,
      '',
      'Anyone can verify either file here:',
      `${server.url}/v/${codeOf(hash)}`,
    ].join('\n')
    assert.equal(
      ours.text,
      `Your certificate was notarized. The JSON and PDF files that its receivers get are attached.\n\n${facts}`,
    )
    assert.equal(
      theirs.text,
      `A certificate for you was notarized. The JSON and PDF files are attached; keep them unchanged.\n\n${facts}`,
    )
  })

  test('does not mark live mode', async () => {
    const [{ subject, text }] = await sent(sampleCertificate({ number: 'MC-1' }), 'live')
    assert.equal(subject, 'Certificate MC-1 from Rolling Mill')
    assert.doesNotMatch(text, /test/)
    assert.match(text, /\/v\/[\w-]{22}$/m)
  })

  test('names its files after the hash if the number has no usable character', async () => {
    const certificate = sampleCertificate({ number: '№…' })
    const [{ attachments }] = await sent(certificate)
    const { hash } = readCertificate(Buffer.from(JSON.stringify(certificate)))
    assert.equal(attachments?.[0]?.filename, `certificate-${hash.slice(0, 12)}.json`)
  })

  test('shortens a long number in file name and subject', async () => {
    const [{ attachments, subject }] = await sent(sampleCertificate({ number: 'N'.repeat(200) }))
    assert.equal(attachments?.[0]?.filename, `certificate-${'N'.repeat(60)}.json`)
    assert.ok(subject.length <= 120)
  })

  test('has the same id whichever job sends it, and another one for every address', async () => {
    const certificateId = await notarized(sampleCertificate())
    const { mailer, mails } = watched()
    const send = (address: string) =>
      sendCertificateMail({ ...deps, mailer }, jobOf({ certificateId, recipients: [receiver(address)] }))
    await send('one@example.com')
    await send('one@example.com')
    await send('two@example.com')
    const [first, second, third] = mails.map(({ id }) => id)
    assert.equal(first, second)
    assert.notEqual(first, third)
    assert.equal((await server.mailsTo('one@example.com', 1)).length, 1)
  })

  test('is not sent after the retention ended', async () => {
    const certificateId = await notarized(sampleCertificate())
    await eraseBodies(deps.database.query, new Date(Date.now() + 2 * 86_400_000))
    const { mailer, mails } = watched()
    const recipients = [receiver('late@example.com')]
    await sendCertificateMail({ ...deps, mailer }, jobOf({ certificateId, recipients }))
    assert.deepEqual(mails, [])
  })

  test('is not sent, and not retried, for a certificate that was deleted', async () => {
    const { mailer, mails } = watched()
    const certificateId = '00000000-0000-4000-8000-000000000000'
    const recipients = [receiver('deleted@example.com')]
    await sendCertificateMail({ ...deps, mailer }, jobOf({ certificateId, recipients }))
    assert.deepEqual(mails, [])
  })

  test('reaches the others if one address is refused, and is not retried for that one', async () => {
    const certificateId = await notarized(sampleCertificate())
    const { mailer, mails } = watched()
    const recipients = [receiver('not an address'), receiver('fine@example.com')]
    await sendCertificateMail({ ...deps, mailer }, jobOf({ certificateId, recipients }))
    assert.deepEqual(
      mails.map(({ to }) => to[0]?.address),
      ['fine@example.com'],
    )
    assert.deepEqual(await jobsAbout(deps, certificateMail, certificateId), [])
    assert.ok(opened.log.some((line) => line.includes('certificate mail was refused')))
  })

  test('is retried in a job of its own for every address that could not be reached', async () => {
    const certificateId = await notarized(sampleCertificate())
    const { mailer, mails } = watched(['down-1@example.com', 'down-2@example.com'])
    const recipients = [
      receiver('down-1@example.com'),
      issuer('up@example.com'),
      receiver('down-2@example.com'),
    ]
    await sendCertificateMail({ ...deps, mailer }, jobOf({ certificateId, recipients }))
    assert.deepEqual(
      mails.map(({ to }) => to[0]?.address),
      ['up@example.com'],
    )
    const jobs = await jobsAbout(deps, certificateMail, certificateId)
    assert.deepEqual(
      jobs
        .map(({ recipients: [only] }) => only)
        .toSorted((a, b) => String(a?.address).localeCompare(String(b?.address))),
      [receiver('down-1@example.com'), receiver('down-2@example.com')],
    )
  })

  test('is retried by the queue if the only address could not be reached', async () => {
    const certificateId = await notarized(sampleCertificate())
    const { mailer } = watched(['down@example.com'])
    const recipients = [receiver('down@example.com')]
    await assert.rejects(sendCertificateMail({ ...deps, mailer }, jobOf({ certificateId, recipients })), {
      code: 'ENOTDIR',
    })
    assert.deepEqual(await jobsAbout(deps, certificateMail, certificateId), [])
  })
})
