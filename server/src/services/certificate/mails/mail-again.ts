import type { CertificateMail, operations } from '@millseal/contract'
import { partiesOf, readCertificate } from '@millseal/families'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { findRecordedCorrections } from '../certificates/corrections.store.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { type CertificateWithBodies, findCertificateWithBodies } from '../certificates/certificates.store.ts'
import { toMailState } from '../certificates/read-certificate.ts'
import { requireOwn } from '../certificates/require-readable.ts'
import { enqueueCertificateMails } from './certificate-mail.ts'

type MailAgainCall = Call<typeof operations.mailCertificateAgain>

/** Mails the files once more to everybody whom the certificate names, as when it was notarized. */
export const mailCertificateAgain = async (
  deps: CertificateDependencies,
  call: MailAgainCall,
): Promise<CertificateMail[]> => {
  const { params, companyId, principal, client } = call
  const found = await findCertificateWithBodies(deps.database.query, params.id)
  const { mode, body } = await requireMailable(deps, call, found)
  const certificateId = params.id
  const parties = partiesOf(readCertificate(body))
  return call.commit(async (tx) => {
    const earlier = await deps.users.findMailsAbout(tx, { companyId, about: certificateId })
    const again = Math.max(0, ...earlier.map((mail) => mail.again)) + 1
    const sent = { certificateId, companyId, mode, parties, again }
    const mails = (await enqueueCertificateMails(deps, tx, [sent])).flat()
    await deps.audit.write(tx, {
      actor: principalName(principal),
      action: 'certificates.mail_again',
      subject: certificateId,
      companyId,
      ipAddress: client.ip,
      details: { mode, mails: mails.length },
    })
    return mails.map(toMailState)
  })
}

const requireMailable = async (
  deps: CertificateDependencies,
  call: MailAgainCall,
  found: CertificateWithBodies | undefined,
): Promise<Pick<CertificateWithBodies, 'mode'> & { readonly body: Uint8Array }> => {
  const { id, mode, state, transactionId } = requireOwn(call, found)
  if (state === 'failed') throw new Problem('certificate_failed')
  if (transactionId === null) throw new Problem('certificate_pending')
  if (!found?.body || !found.pdf) throw new Problem('certificate_erased')
  if ((await findRecordedCorrections(deps.database.query, [id])).length > 0)
    throw new Problem('certificate_corrected')
  return { mode, body: found.body }
}
