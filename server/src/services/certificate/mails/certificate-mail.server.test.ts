import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readCertificate, partiesOf } from '@millseal/families'
import {
  acceptCertificate,
  jobOf,
  jobsAbout,
  openCertificateProcess,
  rejectInserts,
} from '../../../../test/certificate-service.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import type { TestServer } from '../../../../test/test-server.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { eraseBodies } from '../certificates/certificates.store.ts'
import { certificateMail, enqueueCertificateMails, sendCertificateMail } from './certificate-mail.ts'
import { issuer, type MailingMill, openMailingMill, receiver } from './mailing-mill.suite.ts'

let opened: MailingMill
let server: TestServer
let deps: CertificateDependencies
let mill: Owner
before(async () => {
  opened = await openMailingMill('mailing-mill')
  ;({ server, deps, mill } = opened)
})
after(() => opened[Symbol.asyncDispose]())

describe('who gets the mail about a notarized certificate', () => {
  type Options = {
    readonly mode?: 'test' | 'live'
    readonly owner?: Owner
    readonly enqueuing?: CertificateDependencies
  }

  const recipientsOf = async (
    certificate: object,
    { mode = 'live', owner = mill, enqueuing = deps }: Options = {},
  ) => {
    const certificateId = await opened.notarized(certificate, mode)
    const parties = partiesOf(readCertificate(Buffer.from(JSON.stringify(certificate))))
    const notarized = { certificateId, companyId: owner.company.id, mode, parties }
    await deps.database.transaction((tx) => enqueueCertificateMails(enqueuing, tx, [notarized]))
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

  test('are at most 20, of the issuer first; a receiver who is also the issuer counts as the issuer', async () => {
    const addresses = (name: string) => Array.from({ length: 12 }, (_, at) => `${name}-${at}@example.com`)
    const [sellers, buyers] = [addresses('seller'), addresses('buyer')]
    assert.deepEqual(await recipientsOf(withEmails(sellers, [mill.admin.email, ...buyers])), [
      [issuer(mill.admin.email), ...sellers.map(issuer), ...buyers.slice(0, 7).map(receiver)],
    ])
  })

  test('are the admins of the issuer if there is no other who may get it', async () => {
    const owner = await newOwner(server, 'unmailed-mill')
    await server.client(owner.admin.accessToken).updateCompany({
      params: { id: owner.company.id },
      body: { emails: ['outsider@example.com'] },
    })
    const certificate = withEmails('mill@example.com', 'goods-in@example.com')
    assert.deepEqual(await recipientsOf(certificate, { mode: 'test', owner }), [[issuer(owner.admin.email)]])
  })

  test('are nobody, and so there is no job, after the quota of the day', async () => {
    const owner = await newOwner(server, 'thrifty-mill')
    await using process = await openCertificateProcess(server, { mailsPerDay: 1 })
    const send = () => recipientsOf(sampleCertificate(), { mode: 'test', owner, enqueuing: process.deps })
    assert.deepEqual(await send(), [[issuer(owner.admin.email)]])
    assert.deepEqual(await send(), [])
  })

  test('are not stored if their mails cannot be enqueued', async () => {
    await using _rejecting = await rejectInserts(deps, 'pgboss.job')
    await assert.rejects(recipientsOf(sampleCertificate()), /interrupted/)
  })
})

describe('the mail about a notarized certificate', () => {
  test('is sent once, whichever job sends it; if that was not recorded, with the same id; every address has its own', async () => {
    const certificateId = await opened.notarized(sampleCertificate())
    const { mailer, mails } = opened.watched()
    const send = (address: string) =>
      sendCertificateMail({ ...deps, mailer }, jobOf({ certificateId, recipients: [receiver(address)] }))
    await send('one@example.com')
    await send('one@example.com')
    assert.equal(mails.length, 1)
    await deps.database.query
      .updateTable('companyMails')
      .set({ sentAt: null })
      .where('about', '=', certificateId)
      .execute()
    await send('one@example.com')
    await send('two@example.com')
    const [first, second, third] = mails.map(({ id }) => id)
    assert.equal(first, second)
    assert.notEqual(first, third)
    assert.equal((await server.mailsTo('one@example.com', 1)).length, 1)
  })

  test('is recorded as saved, not as sent, if the service has no mail server', async () => {
    const certificateId = await opened.notarized(sampleCertificate())
    const { mailer } = opened.watched()
    const sendWith = (sender: typeof mailer, address: string) =>
      sendCertificateMail(
        { ...deps, mailer: sender },
        jobOf({ certificateId, recipients: [receiver(address)] }),
      )
    await sendWith(deps.mailer, 'saved@example.com')
    await sendWith({ ...mailer, folder: undefined }, 'sent@example.com')
    const recorded = await deps.users.findMailsAbout(deps.database.query, {
      companyId: mill.company.id,
      about: certificateId,
    })
    assert.deepEqual(
      recorded.map(({ address, isSaved }) => [address, isSaved]),
      [
        ['saved@example.com', true],
        ['sent@example.com', false],
      ],
    )
  })

  test('is in the language of the reader’s account, for all others in those of the certificate', async () => {
    const { id: userId } = mill.admin
    const setLanguage = (language: 'de' | 'en') =>
      server.client(mill.admin.accessToken).updateUser({ params: { id: userId }, body: { language } })
    const certificateId = await opened.notarized(sampleCertificate())
    const { mailer, mails } = opened.watched()
    const recipients = [issuer(mill.admin.email.toUpperCase()), receiver('no-account@example.com')]
    await setLanguage('de')
    await sendCertificateMail({ ...deps, mailer }, jobOf({ certificateId, recipients }))
    await setLanguage('en')
    const again = 1
    await sendCertificateMail({ ...deps, mailer }, jobOf({ certificateId, recipients, again }))
    const saysBoth = mails.map(({ text }) => [/was notarized/.test(text), /wurde notarisiert/.test(text)])
    const inBoth = [true, true]
    assert.deepEqual(saysBoth, [[false, true], inBoth, [true, false], inBoth])
  })

  test('is not sent after the retention ended', async () => {
    const certificateId = await opened.notarized(sampleCertificate())
    await eraseBodies(deps.database.query, new Date(Date.now() + 2 * 86_400_000))
    const { mailer, mails } = opened.watched()
    const recipients = [receiver('late@example.com')]
    await sendCertificateMail({ ...deps, mailer }, jobOf({ certificateId, recipients }))
    assert.deepEqual(mails, [])
  })

  test('is not sent, and not retried, for a certificate that was deleted', async () => {
    const { mailer, mails } = opened.watched()
    const certificateId = '00000000-0000-4000-8000-000000000000'
    const recipients = [receiver('deleted@example.com')]
    await sendCertificateMail({ ...deps, mailer }, jobOf({ certificateId, recipients }))
    assert.deepEqual(mails, [])
  })

  test('reaches the others if one address is refused, and is not retried for that one', async () => {
    const certificateId = await opened.notarized(sampleCertificate())
    const { mailer, mails } = opened.watched()
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
    const certificateId = await opened.notarized(sampleCertificate())
    const { mailer, mails } = opened.watched(['down-1@example.com', 'down-2@example.com'])
    const recipients = [
      receiver('down-1@example.com'),
      issuer('up@example.com'),
      receiver('down-2@example.com'),
    ]
    await sendCertificateMail({ ...deps, mailer }, jobOf({ certificateId, recipients, again: 1 }))
    assert.deepEqual(
      mails.map(({ to }) => to[0]?.address),
      ['up@example.com'],
    )
    const jobs = await jobsAbout(deps, certificateMail, certificateId)
    assert.deepEqual(
      jobs.map(({ again }) => again),
      [1, 1],
      'they belong to the same sending',
    )
    assert.deepEqual(
      jobs
        .map(({ recipients: [only] }) => only)
        .toSorted((a, b) => String(a?.address).localeCompare(String(b?.address))),
      [receiver('down-1@example.com'), receiver('down-2@example.com')],
    )
  })

  test('is retried by the queue if the only address could not be reached', async () => {
    const certificateId = await opened.notarized(sampleCertificate())
    const { mailer } = opened.watched(['down@example.com'])
    const recipients = [receiver('down@example.com')]
    await assert.rejects(sendCertificateMail({ ...deps, mailer }, jobOf({ certificateId, recipients })), {
      code: 'ENOTDIR',
    })
    assert.deepEqual(await jobsAbout(deps, certificateMail, certificateId), [])
  })
})

describe('mailing a certificate again', () => {
  const client = () => server.client(mill.admin.accessToken)
  const about = (id: string) => ({ company: mill.company.id, params: { id } })

  test('sends it once more to everybody, by the same rules, and shows that in its life', async () => {
    const id = await opened.notarized(sampleCertificate({ number: 'AGAIN-1' }), 'test')
    const own = { to: mill.admin.email, state: 'waiting', again: true }
    const first = await client().mailCertificateAgain(about(id))
    assert.deepEqual(
      first.filter(({ to }) => to === own.to),
      [own],
    )
    assert.ok(first.some(({ reason }) => reason === 'test_mode'))
    const key = { idempotencyKey: 'mail-again-only-once' }
    const second = await client().mailCertificateAgain({ ...about(id), ...key })
    assert.deepEqual(await client().mailCertificateAgain({ ...about(id), ...key }), second)
    assert.equal((await server.mailsTo(own.to, 2, /AGAIN-1/)).length, 2)
    const { mails } = await client().readCertificateLife(about(id))
    const ours = mails.filter(({ to }) => to === own.to)
    assert.deepEqual(
      ours.map((mail) => [mail.about, mail.again]),
      [
        ['certificate', true],
        ['certificate', true],
      ],
    )
  })

  test('is refused before it is notarized, once it is erased, and to others', async () => {
    const id = await opened.notarized(sampleCertificate({ number: 'AGAIN-2' }), 'test')
    const { query } = deps.database
    const pending = await acceptCertificate(deps, {
      companyId: mill.company.id,
      identityId: mill.company.id,
      certificate: sampleCertificate({ number: 'AGAIN-3' }),
      mode: 'test',
    })
    await assertRefused(client().mailCertificateAgain(about(pending)), 'certificate_pending')
    const other = await newOwner(server, 'curious-mill')
    const theirs = { company: other.company.id, params: { id } }
    await assertRefused(server.client(other.admin.accessToken).mailCertificateAgain(theirs), 'not_found')
    await query
      .updateTable('certificates')
      .set({ retainedUntil: new Date(0) })
      .where('id', '=', id)
      .execute()
    await eraseBodies(query, new Date(1))
    await assertRefused(client().mailCertificateAgain(about(id)), 'certificate_erased')
  })
})
