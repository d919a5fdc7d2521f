import { because } from '@millseal/contract/reasons'
import type { CertificateParties } from '@millseal/families'
import { Problem } from '../../../lib/problem.ts'
import { checkVatId } from '../../../lib/vat/check-vat-id.ts'

/** Of the look for all receivers. */
export const everyReceiver = ''

const domain = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/

/** The key under which a look for this VAT id or mail domain is stored. */
export const receiverKey = (receiver: string | undefined): string => {
  if (receiver === undefined) return everyReceiver
  const key = domainKey(receiver) ?? vatKey(receiver)
  if (key !== undefined) return key
  throw new Problem('validation_failed', {
    reasons: [because('must_be_receiver', { place: 'query/receiver' })],
  })
}

/** The keys of the receivers that a certificate names: VAT ids first, which are more exact. */
export const receiverKeys = ({ receivers }: CertificateParties): readonly string[] => [
  ...receivers.flatMap(({ vatId }) => vatKey(vatId ?? '') ?? []),
  ...receivers.flatMap(({ emails }) =>
    emails.flatMap((email) => domainKey(email.split('@').at(-1) ?? '') ?? []),
  ),
]

const domainKey = (text: string): string | undefined => {
  const key = text.trim().toLowerCase()
  return domain.test(key) ? key : undefined
}

/** An id of a country without known rules is kept as it is written. */
const vatKey = (text: string): string | undefined => {
  const key = checkVatId(text).normalized ?? text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  return /^[A-Z]{2}(?=.*\d)[A-Z0-9]{2,18}$/.test(key) ? key : undefined
}
