import { withoutRealCertificates } from '../../../families/test/real-certificates.ts'
import { openVariedCertificates } from '../../../families/test/varied-certificates.ts'
import { sampleCertificate } from '../../../server/test/certificates.ts'

/** The sender in a certificate: in test mode only members get mails. */
export const senderEmail = 'mill@example.com'

export type Made = { readonly number: string; readonly body: string }

export type Certificates = {
  /** For people. */
  readonly what: string
  make(): Made
}

/** Certificates with all values of their own, of this mill. The published ones are not part of the project. */
export const openCertificates = async (): Promise<Certificates> => {
  let written = 0
  const next = (): number => {
    written += 1
    return written
  }
  if (withoutRealCertificates !== false)
    return {
      what: 'small sample certificates',
      make() {
        const number = `LOAD-${next()}`
        return { number, body: JSON.stringify(sampleCertificate({ number })) }
      },
    }
  const published = await openVariedCertificates()
  return {
    what: `each a ${published.what}`,
    make() {
      const at = next()
      const number = `LOAD-${at}`
      const certificate = JSON.parse(published.make(at).toString()) as {
        readonly Certificate: {
          readonly CommercialTransaction: { A01: { Email?: string }; A03: string }
        }
      }
      const { CommercialTransaction } = certificate.Certificate
      CommercialTransaction.A01.Email = senderEmail
      CommercialTransaction.A03 = number
      return { number, body: JSON.stringify(certificate) }
    },
  }
}
