import { createHash } from 'node:crypto'
import type { CertificateParties } from '@millseal/families'
import { oneLine } from '../../../lib/mail-layout.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import { type MailAttachment, MailRefused } from '../../../ports/mailer/mailer.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { verifyUrlOf } from '../rendering/verify-url.ts'
import {
  findCertificateWithBodies,
  type StoredCertificate,
  summaryOf,
} from '../notarizations/certificates.store.ts'

type Recipient = { readonly address: string; readonly as: 'issuer' | 'receiver' }
type CertificateMail = { readonly certificateId: string; readonly recipients: readonly Recipient[] }

export const certificateMail: JobKind<CertificateMail> = {
  name: 'certificate-mail',
  retries: 12,
  backoffSeconds: 10,
  expireSeconds: 300,
}

/** Keeps a certificate from being used as a mailing list. */
const maxAddresses = 20

type Notarized = {
  readonly certificateId: string
  readonly companyId: string
  readonly parties: CertificateParties
}

export const enqueueCertificateMail = async (
  deps: CertificateDependencies,
  tx: Transaction,
  { certificateId, ...of }: Notarized,
): Promise<void> => {
  const recipients = await recipientsOf(deps, tx, of)
  if (recipients.length === 0) return
  await deps.jobs.enqueue(tx, certificateMail, { certificateId, recipients })
}

/** Everybody who gets mails about a certificate. */
export const recipientsOf = async (
  { users }: CertificateDependencies,
  tx: Transaction,
  { companyId, parties }: Omit<Notarized, 'certificateId'>,
): Promise<readonly Recipient[]> => {
  const recipients = new Map<string, Recipient>()
  const add = (as: Recipient['as'], addresses: readonly string[]): void => {
    for (const address of addresses.map((one) => one.trim().toLowerCase())) {
      if (recipients.size < maxAddresses && !recipients.has(address)) recipients.set(address, { address, as })
    }
  }
  add('issuer', await users.findContacts(tx, companyId))
  add('issuer', emailsOf(parties.senders))
  add('receiver', emailsOf(parties.receivers))
  return [...recipients.values()]
}

const emailsOf = (parties: CertificateParties['senders']): readonly string[] =>
  parties.flatMap(({ emails }) => emails)

/** Sends one mail per address. Each one that fails gets a job of its own, so that no retry sends the others twice. */
export const sendCertificateMail = async (
  deps: CertificateDependencies,
  { data: { certificateId, recipients } }: Job<CertificateMail>,
): Promise<void> => {
  const certificate = await findCertificateWithBodies(deps.database.query, certificateId)
  if (!certificate?.body || !certificate.pdf) return
  const name = fileNameOf(certificate)
  // One array for all mails: the mailer then encodes the attachments once.
  const attachments = [
    { filename: `${name}.json`, type: 'application/json', content: certificate.body },
    { filename: `${name}.pdf`, type: 'application/pdf', content: certificate.pdf },
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
      subject: certificateSubjectOf(certificate),
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

/** Independent of the job that sends it: the mailer recognizes a repetition. */
const mailIdOf = ({ id }: StoredCertificate, { address }: Recipient): string =>
  createHash('sha256').update(`${id} ${address}`).digest('hex').slice(0, 32)

const fileNameOf = (certificate: StoredCertificate): string => {
  const plain = (summaryOf(certificate).identifier ?? '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
  return `certificate-${plain === '' ? certificate.hash.slice(0, 12) : plain.slice(0, 60)}`
}

const maxSubjectLength = 120

/** Names the certificate. */
export const certificateSubjectOf = (certificate: StoredCertificate): string => {
  const { identifier = '', sellerName } = summaryOf(certificate)
  const test = certificate.mode === 'test' ? '[TEST] ' : ''
  const seller = sellerName === undefined ? '' : ` from ${sellerName}`
  return oneLine(`${test}Certificate ${identifier}${seller}`, maxSubjectLength)
}

const textOf = (
  deps: CertificateDependencies,
  certificate: StoredCertificate,
  as: Recipient['as'],
): string => {
  const { mode, hash, transactionId, recordedAt } = certificate
  const summary = summaryOf(certificate)
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Certificate', summary.identifier],
    ['Seller', summary.sellerName],
    ['Buyer', summary.buyerName],
    ['Product', summary.productDescription],
    ['Order', joined(summary.orderNumber, summary.orderPosition)],
    ['Delivery', joined(summary.deliveryNumber, summary.deliveryPosition)],
    ['Recorded', recordedAt?.toISOString()],
    ['SHA-256', hash],
    ['Transaction', transactionId ?? undefined],
  ]
  return [
    as === 'issuer'
      ? 'Your certificate was notarized. The JSON and PDF files that its receivers get are attached.'
      : 'A certificate for you was notarized. The JSON and PDF files are attached; keep them unchanged.',
    ...(mode === 'test' ? ['', 'This is a test certificate: it does not describe real material.'] : []),
    '',
    ...facts.flatMap(([label, value]) =>
      value === undefined ? [] : [`${label.padEnd(12)}${oneLine(value)}`],
    ),
    '',
    'Anyone can verify either file here:',
    verifyUrlOf(deps, { mode, hash }),
  ].join('\n')
}

const joined = (number: string | undefined, position: string | undefined): string | undefined =>
  number === undefined || position === undefined ? number : `${number} / ${position}`
