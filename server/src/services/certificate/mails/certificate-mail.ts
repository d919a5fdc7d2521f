import type { CertificateParties } from '@millseal/families'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import { MailRefused } from '../../../ports/mailer/mailer.ts'
import type { CertificateRoomDependencies } from '../dependencies.ts'
import { verifyUrlOf } from '../rendering/verify-url.ts'
import { findBodies, findCertificate } from '../notarizations/certificates.store.ts'
import type { StoredCertificate } from '../notarizations/stored-certificate.ts'

type CertificateMail = {
  readonly certificateId: string
  readonly address: string
  readonly as: 'issuer' | 'receiver'
}

export const certificateMail: JobKind<CertificateMail> = {
  name: 'certificate-mail',
  retries: 12,
  backoffSeconds: 10,
  expireSeconds: 120,
}

/** A certificate is not a mailing list. */
const maxAddresses = 20

type Wanted = {
  readonly certificateId: string
  readonly companyId: string
  readonly parties: CertificateParties
}

/** One mail per address, so that one that bounces keeps nobody else from theirs. */
export const mailCertificate = async (
  { users, jobs }: CertificateRoomDependencies,
  tx: Transaction,
  { certificateId, companyId, parties }: Wanted,
): Promise<void> => {
  const addresses = new Map<string, CertificateMail['as']>()
  const add = (as: CertificateMail['as'], given: readonly string[]): void => {
    for (const address of given.map((one) => one.trim().toLowerCase())) {
      if (addresses.size < maxAddresses && !addresses.has(address)) addresses.set(address, as)
    }
  }
  add('issuer', await users.findContacts(tx, companyId))
  add(
    'issuer',
    parties.senders.flatMap(({ emails }) => emails),
  )
  add(
    'receiver',
    parties.receivers.flatMap(({ emails }) => emails),
  )
  for (const [address, as] of addresses) {
    await jobs.enqueue(tx, certificateMail, { certificateId, address, as })
  }
}

export const sendCertificateMail =
  (deps: CertificateRoomDependencies) =>
  async ({ id, data }: Job<CertificateMail>): Promise<void> => {
    const certificate = await findCertificate(deps.database.query, data.certificateId)
    if (certificate === undefined) return
    const { body, pdf } = await findBodies(deps.database.query, certificate.id)
    if (body === undefined || pdf === undefined) return
    const name = fileNameOf(certificate)
    await deps.mailer
      .send({
        id,
        to: [{ address: data.address }],
        subject: subjectOf(certificate),
        text: textOf(deps, certificate, data.as),
        attachments: [
          { filename: `${name}.json`, type: 'application/json', content: body },
          { filename: `${name}.pdf`, type: 'application/pdf', content: pdf },
        ],
      })
      .catch((error: unknown) => {
        if (!(error instanceof MailRefused)) throw error
        deps.log.warn(
          { certificateId: certificate.id, reason: error.message },
          'a certificate mail was refused',
        )
      })
  }

const fileNameOf = ({ summary, hash }: StoredCertificate): string => {
  const plain = (summary.identifier ?? '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
  return `certificate-${plain === '' ? hash.slice(0, 12) : plain.slice(0, 60)}`
}

const subjectOf = ({ mode, summary }: StoredCertificate): string => {
  const test = mode === 'test' ? '[TEST] ' : ''
  const seller = summary.sellerName === undefined ? '' : ` of ${summary.sellerName}`
  return `${test}Certificate ${summary.identifier ?? ''}${seller}`
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 120)
}

const textOf = (
  deps: CertificateRoomDependencies,
  certificate: StoredCertificate,
  as: CertificateMail['as'],
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
    ...facts.flatMap(([label, value]) => (value === undefined ? [] : [`${label.padEnd(12)}${value}`])),
    '',
    'Whether either file is genuine can be checked here, by anyone:',
    verifyUrlOf(deps, { mode, hash }),
  ].join('\n')
}

const together = (number: string | undefined, position: string | undefined): string | undefined =>
  number === undefined || position === undefined ? number : `${number} / ${position}`
