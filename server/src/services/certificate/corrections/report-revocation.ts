import type { RevokedCertificates } from '@millseal/contract'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Job, JobKind, JobQueue } from '../../../ports/jobs/jobs.ts'
import type { Revocation } from '../../km/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { receivedChanged } from '../certificates/inbox-jobs.ts'
import { revocationMail } from '../mails/revocation-mail.ts'
import { summaryOf } from '../certificates/certificates.store.ts'
import { verifyUrlOf } from '../rendering/verify-url.ts'
import { addressesOf, partiesIn, receiversOf, referenceTo } from '../mails/concerned.ts'
import { findRevokedCertificates, hasUnfinished, lockReport, saveReport } from './revocation-reports.store.ts'

/** `transactionId` is that of the revocation. */
type RevocationReport = { readonly transactionId: string }

export const revocationReport: JobKind<RevocationReport> = {
  name: 'certificate-revocation-report',
  retries: 20,
  backoffSeconds: 5,
  expireSeconds: 600,
}

export const enqueueRevocationReport = (
  jobs: JobQueue,
  tx: Transaction,
  report: RevocationReport,
): Promise<void> => jobs.enqueue(tx, revocationReport, report)

/** Also the maximum of certificates in one event. */
const pageSize = 100
const waitSeconds = 10

/** The certificates that concern an address: the first ones, and how many there are. */
type Listed = { readonly companyId: string; readonly certificateIds: string[]; count: number }
const maxListed = 50

/**
 * Tells everybody who received certificates that a revoked key signed: an event per company and page, then one mail per
 * address. A repeated run continues the events after the last page and collects the addresses again.
 */
export const reportRevocation = async (
  deps: CertificateDependencies,
  { data: { transactionId }, signal }: Job<RevocationReport>,
): Promise<void> => {
  const revocation = await deps.keys.findRevocation(transactionId)
  if (revocation === undefined) return
  // What the key signed before can still be recorded. The key cannot sign any more, so this ends.
  if (await hasUnfinished(deps.database.query, revocation))
    return deps.database.transaction((tx) =>
      deps.jobs.enqueue(tx, revocationReport, { transactionId }, { startAfterSeconds: waitSeconds }),
    )
  const listed = new Map<string, Listed>()
  let after: string | undefined
  do {
    signal.throwIfAborted()
    const page = { revocation, after, listed }
    after = await deps.database.transaction((tx) => reportPage(deps, tx, page))
  } while (after !== undefined)
  await deps.database.transaction((tx) => finish(deps, tx, { revocation, listed }))
}

/** Returns the last certificate of the page; undefined if there are no more. */
const reportPage = async (
  deps: CertificateDependencies,
  tx: Transaction,
  {
    revocation,
    after,
    listed,
  }: {
    readonly revocation: Revocation
    readonly after: string | undefined
    readonly listed: Map<string, Listed>
  },
): Promise<string | undefined> => {
  const { transactionId } = revocation
  const { reportedTo } = await lockReport(tx, transactionId)
  const certificates = await findRevokedCertificates(tx, { ...revocation, after, limit: pageSize })
  const byCompany = new Map<string, RevokedCertificates['certificates']>()
  for (const certificate of certificates) {
    const { companyId, body } = certificate
    const parties = partiesIn(body)
    const receiverIds = await receiversOf(deps, tx, { certificate, parties })
    for (const address of await addressesOf(deps, tx, { companyId, parties, receiverIds }))
      add(listed, address, certificate)
    const entry = {
      ...referenceTo(certificate),
      summary: summaryOf(certificate),
      verifyUrl: verifyUrlOf(deps, certificate),
    }
    for (const ownerId of new Set([companyId, ...receiverIds]))
      byCompany.set(ownerId, [...(byCompany.get(ownerId) ?? []), entry])
  }
  const last = certificates.at(-1)?.id
  if (last !== undefined && (reportedTo === null || last > reportedTo)) {
    await writeEvents(deps, tx, { revocation, byCompany })
    await deps.jobs.enqueue(tx, receivedChanged, { certificateIds: certificates.map(({ id }) => id) })
    await saveReport(tx, transactionId, { reportedTo: last })
  }
  return certificates.length < pageSize ? undefined : last
}

const add = (
  listed: Map<string, Listed>,
  address: string,
  { id, companyId }: { readonly id: string; readonly companyId: string },
): void => {
  const known = listed.get(address) ?? { companyId, certificateIds: [], count: 0 }
  if (known.count < maxListed) known.certificateIds.push(id)
  known.count += 1
  listed.set(address, known)
}

const writeEvents = async (
  { outbox }: CertificateDependencies,
  tx: Transaction,
  {
    revocation,
    byCompany,
  }: {
    readonly revocation: Revocation
    readonly byCompany: ReadonlyMap<string, RevokedCertificates['certificates']>
  },
): Promise<void> => {
  const { did, mode, by, reason, transactionId, since, recordedAt } = revocation
  const correction = {
    kind: 'revoked' as const,
    by,
    time: recordedAt.toISOString(),
    reason,
    transactionId,
    since: since.toISOString(),
  }
  for (const [ownerId, certificates] of byCompany) {
    await outbox.write(tx, {
      owner: { kind: 'company', id: ownerId },
      mode,
      resource: 'certificates',
      action: 'revoke_many',
      payload: { did, mode, correction, certificates } satisfies RevokedCertificates,
      aboutName: did,
    })
  }
}

const finish = async (
  { jobs, clock, users }: CertificateDependencies,
  tx: Transaction,
  {
    revocation: { transactionId, mode },
    listed,
  }: { readonly revocation: Revocation; readonly listed: ReadonlyMap<string, Listed> },
): Promise<void> => {
  const { finishedAt } = await lockReport(tx, transactionId)
  if (finishedAt !== null) return
  const [{ companyId } = {}] = listed.values()
  if (companyId !== undefined) {
    const subject = { companyId, mode, kind: 'revocation', about: transactionId } as const
    const mails = (await users.admitMails(tx, [{ subject, addresses: [...listed.keys()] }])).flat()
    for (const { address, heldBack } of mails) {
      const about = listed.get(address)
      if (heldBack !== null || about === undefined) continue
      const { certificateIds, count } = about
      await jobs.enqueue(tx, revocationMail, { transactionId, address, certificateIds, count })
    }
  }
  await saveReport(tx, transactionId, { finishedAt: new Date(clock.now()) })
}
