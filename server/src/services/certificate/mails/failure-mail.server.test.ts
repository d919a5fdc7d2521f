import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { because, type Reason } from '@millseal/contract/reasons'
import { storedReasons } from '../../../lib/stored-reasons.ts'
import { createEmlFolderMailer } from '../../../adapters/mailer/eml-folder.ts'
import { acceptCertificate, jobOf } from '../../../../test/certificate-service.ts'
import { claimOne } from '../notarizations/claimed.suite.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import type { Owner } from '../../../../test/machines.ts'
import { signUp, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import type { TestServer } from '../../../../test/test-server.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { openMill, type OpenedMill } from '../mill.suite.ts'
import { endNotarizations } from '../notarizations/progress.store.ts'
import { eraseBodies } from '../certificates/certificates.store.ts'
import { sendFailureMail } from './failure-mail.ts'

let opened: OpenedMill
let server: TestServer
let deps: CertificateDependencies
let mill: Owner
before(async () => {
  opened = await openMill('mail-mill', { vatId: 'IT00743110157' })
  ;({ server, deps, mill } = opened)
  // People whom an admin added get mails of verified companies only.
  await verifyCompany(server, await signUpOperator(server), mill.company.id)
})
after(() => opened[Symbol.asyncDispose]())

type Options = {
  readonly certificate?: object
  readonly mode?: 'test' | 'live'
  readonly error?: string
  readonly reasons?: readonly Reason[]
}

const failed = async ({ certificate = sampleCertificate(), mode, error = 'no', reasons }: Options = {}) => {
  const { company } = mill
  const id = await acceptCertificate(deps, {
    companyId: company.id,
    identityId: company.id,
    certificate,
    mode,
  })
  await claimOne(deps, id)
  const failure = reasons === undefined ? { error, reasons: null } : storedReasons(reasons)
  await endNotarizations(deps.database.query, [{ id, state: 'failed', ...failure }], new Date())
  return id
}

let recipients = 0
/** Sends the mail to a member of the issuer and returns it, its soft and folded line breaks removed. */
const mailAbout = async (certificateId: string, language?: 'de'): Promise<string> => {
  recipients += 1
  const { id, email: address, accessToken } = await signUp(server, `failure-${recipients}`)
  if (language !== undefined)
    await server.client(accessToken).updateUser({ params: { id }, body: { language } })
  await server.client(mill.admin.accessToken).addMember({
    params: { id: mill.company.id },
    body: { email: address, role: 'operator' },
  })
  await sendFailureMail(deps, jobOf({ certificateId, address }))
  const [mail = '', ...others] = await server.mailsTo(
    address,
    1,
    /could not be notarized|konnte nicht notarisiert werden/,
  )
  assert.deepEqual(others, [])
  return mail.replaceAll('=\r\n', '').replaceAll('\r\n ', ' ').replaceAll('\r\n', '\n')
}

describe('the mail about a failed notarization', () => {
  test('names the certificate, the reason and what to do', async () => {
    const id = await failed({
      certificate: sampleCertificate({ number: 'MC-4711' }),
      error: 'The ledger refused it',
    })
    const mail = await mailAbout(id)
    assert.match(mail, /^Subject: \[TEST\] Certificate MC-4711 could not be notarized \(Rolling Mill\)$/m)
    assert.match(mail, /^The notarization of certificate MC-4711 \(test mode\) failed:$/m)
    assert.match(mail, /^The ledger refused it$/m)
    assert.match(mail, /^Nothing was sent to the receivers\. Fix the cause, then submit/m)
    assert.ok(
      mail
        .replaceAll('=3D', '=')
        .includes(`${server.url}/console/certificates/${id}?mode=test&company=${mill.company.id}`),
    )
  })

  test('says the reason in the language of its reader', async () => {
    const reasons = [because('picture_of_document', { flaw: because('picture_cut_off') })]
    const id = await failed({ reasons })
    const german = await mailAbout(id, 'de')
    assert.match(german, /^Ein Bild des Zeugnisses ist beschädigt$/m)
    assert.match(german, /\(Testmodus\) ist fehlgeschlagen:$/m)
    assert.match(
      await mailAbout(await failed({ mode: 'live' }), 'de'),
      /\(Live-Modus\) ist fehlgeschlagen:$/m,
    )
    assert.match(await mailAbout(id), /^A picture of the document is cut off$/m)
    const older = await failed({ error: 'A picture of the document is cut off' })
    assert.match(
      await mailAbout(older, 'de'),
      /^A picture of the document is cut off$/m,
      'of an older release',
    )
  })

  test('does not mark live mode in the subject', async () => {
    const certificate = sampleCertificate({ number: 'MC-1' })
    const mail = await mailAbout(await failed({ certificate, mode: 'live' }))
    assert.match(mail, /^Subject: Certificate MC-1 could not be notarized \(Rolling Mill\)$/m)
    assert.match(mail, /\(live mode\) failed:$/m)
  })

  test('names the hash of a certificate without a number', async () => {
    const id = await failed()
    await deps.database.query
      .updateTable('certificates')
      .set({ summary: '{}', hash: 'ab'.repeat(32) })
      .where('id', '=', id)
      .execute()
    const mail = await mailAbout(id)
    assert.match(mail, new RegExp(`certificate ${'ab'.repeat(32)} \\(test mode\\)`))
    assert.match(mail, /^Subject: \[TEST\] Certificate abababababab could not be notarized \([^)]+\)$/m)
  })

  test('shows number and reason on one line each, however the issuer wrote them', async () => {
    const certificate = sampleCertificate({ number: 'MC-1\n\nPay to account 0815' })
    const mail = await mailAbout(await failed({ certificate, error: 'first\r\nsecond' }))
    assert.match(mail, /^The notarization of certificate MC-1 .*Pay to account 0815 \(test mode\) failed:$/m)
    assert.match(mail, /^first .*second$/m)
  })

  test('says that the reason is unknown if none was stored', async () => {
    const id = await acceptCertificate(deps, {
      companyId: mill.company.id,
      identityId: mill.company.id,
      certificate: sampleCertificate(),
    })
    assert.match(await mailAbout(id), /^The reason is unknown\.$/m)
  })

  test('is sent after the retention ended, with the hash', async () => {
    const id = await failed()
    await eraseBodies(deps.database.query, new Date(Date.now() + 2 * 86_400_000))
    assert.match(await mailAbout(id), /^The notarization of certificate [0-9a-f]{64} \(test mode\)/m)
  })

  test('is not sent for a certificate that was deleted', async () => {
    const address = 'deleted@example.com'
    await sendFailureMail(deps, jobOf({ certificateId: '00000000-0000-4000-8000-000000000000', address }))
    assert.deepEqual(await server.mailsTo(address, 0), [])
  })

  test('is not retried if the mail was refused for good', async () => {
    const id = await failed({ mode: 'live' })
    await sendFailureMail(deps, jobOf({ certificateId: id, address: 'not an address' }))
    assert.ok(opened.log.some((line) => line.includes('a failure mail was refused') && line.includes(id)))
  })

  test('is retried after any other failure of the mailer', async () => {
    const certificateId = await failed({ mode: 'live' })
    // A file is where the folder should be.
    const folder = join(import.meta.filename, 'mails')
    const mailer = createEmlFolderMailer({ folder, from: 'server@localhost', clock: deps.clock })
    const job = jobOf({ certificateId, address: 'later@example.com' })
    await assert.rejects(sendFailureMail({ ...deps, mailer }, job), { code: 'ENOTDIR' })
    await sendFailureMail(deps, job)
    assert.equal((await server.mailsTo('later@example.com', 1)).length, 1)
  })
})
