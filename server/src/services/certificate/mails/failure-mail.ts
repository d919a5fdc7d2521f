import { oneLine } from '../../../lib/mail-layout.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import { MailRefused } from '../../../ports/mailer/mailer.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { findCertificate, summaryOf } from '../notarizations/certificates.store.ts'

const maxReasonLength = 500

type FailureMail = { readonly certificateId: string; readonly address: string }

export const failureMail: JobKind<FailureMail> = {
  name: 'certificate-failure-mail',
  retries: 10,
  backoffSeconds: 5,
  expireSeconds: 60,
}

/** Only the issuer gets this mail: the receivers do not know of the certificate yet. */
export const enqueueFailureMails = async (
  { users, jobs }: CertificateDependencies,
  tx: Transaction,
  { certificateId, companyId }: { readonly certificateId: string; readonly companyId: string },
): Promise<void> => {
  for (const address of await users.findContacts(tx, companyId)) {
    await jobs.enqueue(tx, failureMail, { certificateId, address })
  }
}

export const sendFailureMail = async (
  deps: CertificateDependencies,
  { id, data }: Job<FailureMail>,
): Promise<void> => {
  const certificate = await findCertificate(deps.database.query, data.certificateId)
  if (certificate === undefined) return
  const { error, hash, mode } = certificate
  const { identifier } = summaryOf(certificate)
  await deps.mailer
    .send({
      id,
      to: [{ address: data.address }],
      subject: `A certificate could not be notarized${mode === 'test' ? ' (test)' : ''}`,
      text: [
        `The notarization of certificate ${oneLine(identifier ?? hash)} (${mode} mode) failed:`,
        '',
        oneLine(error ?? 'The reason is unknown', maxReasonLength),
        '',
        'Nothing was sent to the receivers. Fix the cause, then submit the same certificate again.',
        '',
        `${deps.publicUrl()}/api/certificates/${certificate.id}`,
      ].join('\n'),
    })
    .catch((refusal: unknown) => {
      if (!(refusal instanceof MailRefused)) throw refusal
      deps.log.warn({ certificateId: certificate.id, reason: refusal.message }, 'a failure mail was refused')
    })
}
