import type { CertificateParties } from '@millseal/families'

export const inOneForm = (addresses: readonly string[]): readonly string[] => [
  ...new Set(addresses.map((address) => address.trim().toLowerCase())),
]

/** The addresses that a certificate names for these parties. */
export const addressesIn = (parties: CertificateParties['receivers']): readonly string[] =>
  inOneForm(parties.flatMap(({ emails }) => emails))
