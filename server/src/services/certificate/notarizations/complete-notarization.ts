import { type Certificate, partiesOf } from '@millseal/families'
import type { Transaction } from '../../../ports/database/database.ts'
import type { LedgerRecord } from '../../km/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { mailCertificate } from '../mails/certificate-mail.ts'
import { type Begun, endNotarization } from './progress.store.ts'

type Completed = {
  readonly begun: Begun
  readonly certificate: Certificate
  readonly record: LedgerRecord
}

/** The one moment in which a certificate becomes notarized: state, events and mails come to be together. */
export const completeNotarization = async (
  deps: CertificateDependencies,
  { begun, certificate, record }: Completed,
): Promise<void> => {
  const parties = partiesOf(certificate)
  const end = {
    state: 'notarized',
    transactionId: record.transactionId,
    recordedAt: record.timestamp,
  } as const
  await deps.database.transaction(async (tx) => {
    if (!(await endNotarization(tx, begun.id, end, new Date(deps.clock.now())))) return
    await tell(deps, tx, {
      companyId: begun.companyId,
      begun,
      action: 'notarize_one',
      payload: certificate.json,
    })
    const vatIds = parties.receivers.flatMap(({ vatId }) => vatId ?? [])
    for (const receiver of await deps.users.findCompaniesByVatIds(tx, { vatIds, mode: begun.mode })) {
      await tell(deps, tx, {
        companyId: receiver.id,
        begun,
        action: 'receive_one',
        payload: certificate.json,
      })
    }
    await mailCertificate(deps, tx, { certificateId: begun.id, companyId: begun.companyId, parties })
  })
}

type News = {
  readonly companyId: string
  readonly begun: Begun
  readonly action: 'notarize_one' | 'receive_one'
  readonly payload: object
}

const tell = async (
  { outbox }: CertificateDependencies,
  tx: Transaction,
  { companyId, begun, action, payload }: News,
): Promise<void> => {
  await outbox.write(tx, {
    owner: { kind: 'company', id: companyId },
    mode: begun.mode,
    resource: 'certificates',
    action,
    payload,
  })
}
