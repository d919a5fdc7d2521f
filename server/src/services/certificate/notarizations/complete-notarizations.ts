import { type Certificate, partiesOf, summarize } from '@millseal/families'
import { secondsSince } from '../../../lib/seconds-since.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { LedgerRecord } from '../../km/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { enqueueCertificateMails } from '../mails/certificate-mail.ts'
import { receivedChanged } from '../certificates/inbox-jobs.ts'
import { findCertificate } from '../certificates/certificates.store.ts'
import { finishLater, finishStarted } from '../corrections/started-correction.ts'
import { insertReceivers } from '../certificates/receivers.store.ts'
import type { Replacement } from './record-replacement.ts'
import { endNotarizations, type RunningNotarization } from './progress.store.ts'

export type Completed = {
  readonly running: RunningNotarization
  readonly certificate: Certificate
  readonly record: LedgerRecord
  readonly replacement: Replacement | undefined
}

/** Writes state, events and mails of these in one transaction: either all of them exist or none. */
export const completeNotarizations = async (
  deps: CertificateDependencies,
  completed: readonly Completed[],
): Promise<void> => {
  const ended = await deps.database.transaction(async (tx) => {
    const ends = completed.map(({ running: { id }, record }) => ({
      id,
      state: 'notarized' as const,
      transactionId: record.transactionId,
      recordedAt: record.timestamp,
    }))
    const isEnded = await endNotarizations(tx, ends, new Date(deps.clock.now()))
    const own = completed.filter(({ running }) => isEnded.has(running.id))
    await tellReceivers(deps, tx, own)
    const mails = await enqueueCertificateMails(
      deps,
      tx,
      own.map(({ running: { id, companyId, mode }, certificate }) => ({
        certificateId: id,
        companyId,
        mode,
        parties: partiesOf(certificate),
      })),
    )
    for (const [at, { running, replacement }] of own.entries())
      if (replacement !== undefined)
        await finishReplacement(deps, tx, { newId: running.id, replacement, mails: mails[at] ?? [] })
    return own
  })
  for (const { running } of ended)
    deps.onEnded({
      mode: running.mode,
      outcome: 'notarized',
      seconds: secondsSince(running.createdAt, deps.clock.now()),
    })
}

/** Who gets the new certificate learns from its mail that it replaces the other one. */
const finishReplacement = async (
  deps: CertificateDependencies,
  tx: Transaction,
  {
    newId,
    replacement: { certificate, started, recorded },
    mails,
  }: {
    readonly newId: string
    readonly replacement: Replacement
    readonly mails: readonly { readonly address: string }[]
  },
): Promise<void> => {
  if (recorded === undefined) return finishLater(deps, tx, started)
  const except = new Set(mails.map(({ address }) => address))
  const replacement = await findCertificate(tx, newId)
  await finishStarted(deps, tx, { certificate, replacement, started, recorded, except })
}

/** Records the companies that a certificate names as receivers, and writes the events of all who may know of it. */
const tellReceivers = async (
  deps: CertificateDependencies,
  tx: Transaction,
  completed: readonly Completed[],
): Promise<void> => {
  const wanted = completed.map(({ running: { mode }, certificate }) => ({
    mode,
    vatIds: partiesOf(certificate).receivers.flatMap(({ vatId }) => vatId ?? []),
  }))
  const named = await deps.users.findCompaniesByVatIds(tx, wanted)
  const receivers = completed.map((_, at) => (named[at] ?? []).map(({ id }) => id))
  await insertReceivers(
    tx,
    completed.flatMap(({ running }, at) =>
      (receivers[at] ?? []).map((companyId) => ({ certificateId: running.id, companyId })),
    ),
  )
  const certificateIds = completed.map(({ running }) => running.id)
  if (receivers.flat().length > 0) await deps.jobs.enqueue(tx, receivedChanged, { certificateIds })
  await deps.outbox.writeAll(
    tx,
    completed.flatMap(({ running: { id, companyId, mode }, certificate }, at) => {
      const { identifier: aboutName } = summarize(certificate)
      const eventOf = (ownerId: string, action: 'notarize_one' | 'receive_one') => ({
        owner: { kind: 'company', id: ownerId } as const,
        mode,
        resource: 'certificates' as const,
        action,
        payload: certificate.json,
        aboutId: id,
        aboutName,
      })
      const received = (receivers[at] ?? []).map((receiverId) => eventOf(receiverId, 'receive_one'))
      return [eventOf(companyId, 'notarize_one'), ...received]
    }),
  )
}
