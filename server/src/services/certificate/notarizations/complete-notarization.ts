import { type Certificate, partiesOf } from '@millseal/families'
import type { LedgerRecord } from '../../km/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { enqueueCertificateMail } from '../mails/certificate-mail.ts'
import { insertReceivers } from '../received/receivers.store.ts'
import { secondsSince } from '../../../lib/seconds-since.ts'
import { endNotarization, type RunningNotarization } from './progress.store.ts'

type Completed = {
  readonly running: RunningNotarization
  readonly certificate: Certificate
  readonly record: LedgerRecord
}

/** Writes state, events and mails in one transaction: either all of them exist or none. */
export const completeNotarization = async (
  deps: CertificateDependencies,
  { running: { id: certificateId, companyId, mode, createdAt }, certificate, record }: Completed,
): Promise<void> => {
  const parties = partiesOf(certificate)
  const vatIds = parties.receivers.flatMap(({ vatId }) => vatId ?? [])
  const isEnded = await deps.database.transaction(async (tx) => {
    const receivers = await deps.users.findCompaniesByVatIds(tx, { vatIds, mode })
    const end = {
      state: 'notarized',
      transactionId: record.transactionId,
      recordedAt: record.timestamp,
    } as const
    if (!(await endNotarization(tx, certificateId, end, new Date(deps.clock.now())))) return false
    const receiverIds = receivers.map(({ id }) => id)
    await insertReceivers(tx, { certificateId, companyIds: receiverIds })
    const writeEvent = (ownerId: string, action: 'notarize_one' | 'receive_one') =>
      deps.outbox.write(tx, {
        owner: { kind: 'company', id: ownerId },
        mode,
        resource: 'certificates',
        action,
        payload: certificate.json,
        aboutId: certificateId,
      })
    await writeEvent(companyId, 'notarize_one')
    for (const receiverId of receiverIds) await writeEvent(receiverId, 'receive_one')
    await enqueueCertificateMail(deps, tx, { certificateId, companyId, mode, parties })
    return true
  })
  if (isEnded)
    deps.onEnded({ mode, outcome: 'notarized', seconds: secondsSince(createdAt, deps.clock.now()) })
}
