import { oneLine } from '../../../lib/mail-layout.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import { MailRefused } from '../../../ports/mailer/mailer.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { findCertificate } from '../notarizations/certificates.store.ts'

const longestReason = 500

type FailureMail = { readonly certificateId: string; readonly address: string }

export const failureMail: JobKind<FailureMail> = {
  name: 'certificate-failure-mail',
  retries: 10,
  backoffSeconds: 5,
  expireSeconds: 60,
}

/** Tells the issuer alone: nobody else was promised anything yet. */
export const mailFailure = async (
  { users, jobs }: CertificateDependencies,
  tx: Transaction,
  { certificateId, companyId }: { readonly certificateId: string; readonly companyId: string },
): Promise<void> => {
  for (const address of await users.findContacts(tx, companyId)) {
    await jobs.enqueue(tx, failureMail, { certificateId, address })
  }
}

export const sendFailureMail =
  (deps: CertificateDependencies) =>
  async ({ id, data }: Job<FailureMail>): Promise<void> => {
    const certificate = await findCertificate(deps.database.query, data.certificateId)
    if (certificate === undefined) return
    const { summary, error, hash, mode } = certificate
    await deps.mailer
      .send({
        id,
        to: [{ address: data.address }],
        subject: `A certificate could not be notarized${mode === 'test' ? ' (test)' : ''}`,
        text: [
          `The notarization of the certificate ${oneLine(summary.identifier ?? hash)} (${mode} mode) failed:`,
          '',
          oneLine(error ?? 'for an unknown reason', longestReason),
          '',
          'Nothing was sent to its receivers. Once the cause is mended, notarize the same certificate again.',
          '',
          `${deps.publicUrl()}/api/certificates/${certificate.id}`,
        ].join('\n'),
      })
      .catch((refusal: unknown) => {
        if (!(refusal instanceof MailRefused)) throw refusal
        deps.log.warn(
          { certificateId: certificate.id, reason: refusal.message },
          'a failure mail was refused',
        )
      })
  }
