import type { Mode } from '@millseal/contract'
import { type CertificateParties, readCertificate } from '@millseal/families'
import type { Transaction } from '../../../ports/database/database.ts'
import { deadlineSignal } from '../../../lib/deadline.ts'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import type { Confirmed } from '../../../ports/ledger/confirmations.ts'
import { certificateSpan } from '../../../ports/tracer/known-spans.ts'
import { type AdmittedMail, sendCompanyMail } from '../../user/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { addressesIn, inOneForm } from '../certificates/addresses-in.ts'
import {
  findCertificate,
  findCertificateWithBodies,
  type StoredCertificate,
} from '../certificates/certificates.store.ts'
import { findReplacement } from '../certificates/corrections.store.ts'
import { filesOf } from './certificate-files.ts'
import { composeCertificateMail } from './compose-certificate-mail.ts'
import type { Recipient } from './recipient.ts'

type CertificateMail = {
  readonly certificateId: string
  readonly recipients: readonly Recipient[]
  /** Missing for the first mails. */
  readonly again?: number
}

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
  readonly mode: Mode
  readonly parties: CertificateParties
  /** Missing for the first mails. */
  readonly again?: number
}

/** Returns the recorded mails of each certificate, in their order. */
export const enqueueCertificateMails = async (
  deps: CertificateDependencies,
  tx: Transaction,
  notarized: readonly Notarized[],
): Promise<readonly (readonly AdmittedMail[])[]> => {
  const wanted = await recipientsOf(deps, tx, notarized)
  const orders = notarized.map(({ certificateId, companyId, mode, again }, at) => ({
    subject: {
      companyId,
      mode,
      kind: 'certificate' as const,
      about: certificateId,
      again,
    },
    addresses: (wanted[at] ?? []).map(({ address }) => address),
  }))
  const admitted = await deps.users.admitMails(tx, orders)
  const mails = notarized.map(({ certificateId, again }, at) => ({
    certificateId,
    recipients: openRecipients(wanted[at] ?? [], admitted[at] ?? []),
    again,
  }))
  await deps.jobs.enqueueAll(
    tx,
    certificateMail,
    mails.filter(({ recipients }) => recipients.length > 0),
  )
  return admitted
}

const openRecipients = (
  wanted: readonly Recipient[],
  admitted: readonly AdmittedMail[],
): readonly Recipient[] => {
  const open = new Set(admitted.flatMap(({ address, heldBack }) => (heldBack === null ? [address] : [])))
  return [
    ...wanted.filter(({ address }) => open.delete(address)),
    // Admins of the issuer, if that leaves nobody.
    ...[...open].map((address) => ({ address, as: 'issuer' }) as const),
  ]
}

/** Everybody whom mails about each certificate are meant for. */
export const recipientsOf = async (
  { users }: CertificateDependencies,
  tx: Transaction,
  certificates: readonly Pick<Notarized, 'companyId' | 'parties'>[],
): Promise<readonly (readonly Recipient[])[]> => {
  const contacts = new Map<string, readonly string[]>()
  for (const companyId of new Set(certificates.map((one) => one.companyId)))
    contacts.set(companyId, await users.findContacts(tx, companyId))
  return certificates.map(({ companyId, parties }) => {
    const recipients = new Map<string, Recipient>()
    const add = (as: Recipient['as'], addresses: readonly string[]): void => {
      for (const address of inOneForm(addresses)) {
        if (recipients.size < maxAddresses && !recipients.has(address))
          recipients.set(address, { address, as })
      }
    }
    add('issuer', contacts.get(companyId) ?? [])
    add('issuer', addressesIn(parties.senders))
    add('receiver', addressesIn(parties.receivers))
    return [...recipients.values()]
  })
}

/** What this certificate was notarized to replace, once the ledger says that it does. */
const replacedBy = async (
  { database: { query } }: CertificateDependencies,
  { id, replaces }: StoredCertificate,
): Promise<{ readonly certificate: StoredCertificate; readonly reason: string } | undefined> => {
  if (replaces === null) return undefined
  const certificate = await findCertificate(query, replaces)
  const correction = await findReplacement(query, { certificateId: replaces, replacedBy: id })
  if (certificate === undefined || !correction?.recordedAt) return undefined
  return { certificate, reason: correction.reason }
}

/** Mails that come later than this wait for nothing, so that without a quorum none holds up the others. */
const untilConfirmed = async (
  { keys, clock, confirmWaitMs }: CertificateDependencies,
  { mode, transactionId, recordedAt }: StoredCertificate,
  ending: AbortSignal,
): Promise<Confirmed | undefined> => {
  if (transactionId === null || recordedAt === null) return undefined
  const left = recordedAt.getTime() + confirmWaitMs - clock.now()
  const signal = deadlineSignal(Math.min(Math.max(0, left), confirmWaitMs), ending)
  return await keys.confirmed.until({ mode, transactionId, signal })
}

/** Sends one mail per address. Each one that fails gets a job of its own, so that no retry sends the others twice. */
export const sendCertificateMail = async (
  deps: CertificateDependencies,
  { data: { certificateId, recipients, again }, signal }: Job<CertificateMail>,
): Promise<void> => {
  const stored = await findCertificateWithBodies(deps.database.query, certificateId)
  if (!stored?.body || !stored.pdf) return
  const certificate = readCertificate(stored.body)
  // The same objects for all mails: the mailer then encodes the attachments once.
  const files = filesOf(deps, stored)
  const replaced = await replacedBy(deps, stored)
  const confirmed = await untilConfirmed(deps, stored, signal)
  const compose = composeCertificateMail(deps, { stored, certificate, files, replaced, confirmed })
  const failed: { readonly recipient: Recipient; readonly error: unknown }[] = []
  for (const recipient of recipients) {
    const { companyId, mode } = stored
    const to = {
      companyId,
      mode,
      kind: 'certificate',
      about: certificateId,
      address: recipient.address,
      again,
    } as const
    const parent = certificateSpan(certificateId, 'complete')
    try {
      await deps.tracer.run({ name: 'send mail', kind: 'client', parent }, () =>
        sendCompanyMail(deps, to, (frame) => compose(frame, recipient.as)),
      )
    } catch (error) {
      failed.push({ recipient, error })
    }
  }
  const [first] = failed
  if (first === undefined) return
  if (recipients.length === 1) throw first.error
  const retries = failed.map(({ recipient }) => ({
    certificateId,
    recipients: [recipient],
    again,
  }))
  await deps.database.transaction((tx) => deps.jobs.enqueueAll(tx, certificateMail, retries))
}
