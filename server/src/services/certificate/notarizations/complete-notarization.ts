import { type Certificate, partiesOf } from '@millseal/families'
import type { LedgerRecord } from '../../km/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { enqueueCertificateMail } from '../mails/certificate-mail.ts'
import { endNotarization, type RunningNotarization } from './progress.store.ts'

type Completed = {
  readonly running: RunningNotarization
  readonly certificate: Certificate
  readonly record: LedgerRecord
}

/** Writes state, events and mails in one transaction: either all of them exist or none. */
export const completeNotarization = async (
  deps: CertificateDependencies,
  { running: { id: certificateId, companyId, mode }, certificate, record }: Completed,
): Promise<void> => {
  const parties = partiesOf(certificate)
  const end = {
    state: 'notarized',
    transactionId: record.transactionId,
    recordedAt: record.timestamp,
  } as const
  await deps.database.transaction(async (tx) => {
    if (!(await endNotarization(tx, certificateId, end, new Date(deps.clock.now())))) return
    const writeEvent = (ownerId: string, action: 'notarize_one' | 'receive_one') =>
      deps.outbox.write(tx, {
        owner: { kind: 'company', id: ownerId },
        mode,
        resource: 'certificates',
        action,
        payload: certificate.json,
      })
    await writeEvent(companyId, 'notarize_one')
    const vatIds = parties.receivers.flatMap(({ vatId }) => vatId ?? [])
    for (const receiver of await deps.users.findCompaniesByVatIds(tx, { vatIds, mode })) {
      await writeEvent(receiver.id, 'receive_one')
    }
    await enqueueCertificateMail(deps, tx, { certificateId, companyId, parties })
  })
}
