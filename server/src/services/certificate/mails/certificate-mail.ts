import { createHash } from 'node:crypto'
import type { CertificateParties } from '@millseal/families'
import { oneLine } from '../../../lib/mail-layout.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import { type MailAttachment, MailRefused } from '../../../ports/mailer/mailer.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { verifyUrlOf } from '../rendering/verify-url.ts'
import { findCertificateWithBodies } from '../notarizations/certificates.store.ts'
import type { StoredCertificate } from '../notarizations/stored-certificate.ts'

type Recipient = { readonly address: string; readonly as: 'issuer' | 'receiver' }
type CertificateMail = { readonly certificateId: string; readonly recipients: readonly Recipient[] }

export const certificateMail: JobKind<CertificateMail> = {
  name: 'certificate-mail',
  retries: 12,
  backoffSeconds: 10,
  expireSeconds: 300,
}

/** A certificate is not a mailing list. */
const maxAddresses = 20

type Wanted = {
  readonly certificateId: string
  readonly companyId: string
  readonly parties: CertificateParties
}

export const mailCertificate = async (
  { users, jobs }: CertificateDependencies,
  tx: Transaction,
  { certificateId, companyId, parties }: Wanted,
): Promise<void> => {
  const found = new Map<string, Recipient>()
  const add = (as: Recipient['as'], addresses: readonly string[]): void => {
    for (const address of addresses.map((one) => one.trim().toLowerCase())) {
      if (found.size < maxAddresses && !found.has(address)) found.set(address, { address, as })
    }
  }
  add('issuer', await users.findContacts(tx, companyId))
  add('issuer', emailsOf(parties.senders))
  add('receiver', emailsOf(parties.receivers))
  if (found.size > 0)
    await jobs.enqueue(tx, certificateMail, { certificateId, recipients: [...found.values()] })
}

const emailsOf = (parties: CertificateParties['senders']): readonly string[] =>
  parties.flatMap(({ emails }) => emails)

/** One mail per address. Those that cannot be handed over now get a job each, so that nobody is mailed for another. */
export const sendCertificateMail =
  (deps: CertificateDependencies) =>
  async ({ data }: Job<CertificateMail>): Promise<void> => {
    const { certificateId, recipients } = data
    const certificate = await findCertificateWithBodies(deps.database.query, certificateId)
    const { body, pdf } = certificate ?? {}
    if (certificate === undefined || body === undefined || pdf === undefined) return
    const name = fileNameOf(certificate)
    // The same for all: what is the same is encoded once.
    const attachments = [
      { filename: `${name}.json`, type: 'application/json', content: body },
      { filename: `${name}.pdf`, type: 'application/pdf', content: pdf },
    ]
    const failed: { readonly recipient: Recipient; readonly error: unknown }[] = []
    for (const recipient of recipients) {
      try {
        await send(deps, { certificate, attachments, recipient })
      } catch (error) {
        failed.push({ recipient, error })
      }
    }
    const [first] = failed
    if (first === undefined) return
    if (recipients.length === 1) throw first.error
    await deps.database.transaction(async (tx) => {
      for (const { recipient } of failed) {
        await deps.jobs.enqueue(tx, certificateMail, { certificateId, recipients: [recipient] })
      }
    })
  }

type Sending = {
  readonly certificate: StoredCertificate
  readonly attachments: readonly MailAttachment[]
  readonly recipient: Recipient
}

const send = async (
  deps: CertificateDependencies,
  { certificate, attachments, recipient }: Sending,
): Promise<void> => {
  await deps.mailer
    .send({
      id: mailIdOf(certificate, recipient),
      to: [{ address: recipient.address }],
      subject: subjectOf(certificate),
      text: textOf(deps, certificate, recipient.as),
      attachments,
    })
    .catch((error: unknown) => {
      if (!(error instanceof MailRefused)) throw error
      deps.log.warn(
        { certificateId: certificate.id, reason: error.message },
        'a certificate mail was refused',
      )
    })
}

/** The same whenever and by whichever job it is sent: a repetition is recognised as one. */
const mailIdOf = ({ id }: StoredCertificate, { address }: Recipient): string =>
  createHash('sha256').update(`${id} ${address}`).digest('hex').slice(0, 32)

const fileNameOf = ({ summary, hash }: StoredCertificate): string => {
  const plain = (summary.identifier ?? '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
  return `certificate-${plain === '' ? hash.slice(0, 12) : plain.slice(0, 60)}`
}

const longestSubject = 120

const subjectOf = ({ mode, summary }: StoredCertificate): string => {
  const test = mode === 'test' ? '[TEST] ' : ''
  const seller = summary.sellerName === undefined ? '' : ` of ${summary.sellerName}`
  return oneLine(`${test}Certificate ${summary.identifier ?? ''}${seller}`, longestSubject)
}

const textOf = (
  deps: CertificateDependencies,
  certificate: StoredCertificate,
  as: Recipient['as'],
): string => {
  const { summary, mode, hash, transactionId, recordedAt } = certificate
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Certificate', summary.identifier],
    ['Seller', summary.sellerName],
    ['Buyer', summary.buyerName],
    ['Product', summary.productDescription],
    ['Order', together(summary.orderNumber, summary.orderPosition)],
    ['Delivery', together(summary.deliveryNumber, summary.deliveryPosition)],
    ['Recorded', recordedAt?.toISOString()],
    ['SHA-256', hash],
    ['Transaction', transactionId],
  ]
  return [
    as === 'issuer'
      ? 'Your certificate is notarized. The JSON and the PDF that its receivers get are attached.'
      : 'A certificate for you was notarized. The JSON and the PDF are attached; keep them unchanged.',
    ...(mode === 'test' ? ['', 'This is a test: it stands for no material.'] : []),
    '',
    ...facts.flatMap(([label, value]) =>
      value === undefined ? [] : [`${label.padEnd(12)}${oneLine(value)}`],
    ),
    '',
    'Whether either file is genuine can be checked here, by anyone:',
    verifyUrlOf(deps, { mode, hash }),
  ].join('\n')
}

const together = (number: string | undefined, position: string | undefined): string | undefined =>
  number === undefined || position === undefined ? number : `${number} / ${position}`
