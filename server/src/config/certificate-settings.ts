import { limits } from '@millseal/contract/limits'
import { onOrOff, perDay, setting, wholeNumber } from './setting-values.ts'

export const certificateSettings = {
  certificateMebibytes: setting({
    name: 'MILLSEAL_CERTIFICATE_MIB',
    about: 'Maximum size of a certificate in MiB; raise it if certificates contain files.',
    fallback: '1',
    read: wholeNumber(1, 10),
  }),
  certificatesPerDay: setting({
    name: 'MILLSEAL_CERTIFICATES_PER_DAY',
    about:
      'Maximum number of certificates that a verified company can submit per day (UTC). 0 means no limit.',
    fallback: String(limits.certificatesPerDay.verified),
    read: perDay,
  }),
  unverifiedCertificatesPerDay: setting({
    name: 'MILLSEAL_UNVERIFIED_CERTIFICATES_PER_DAY',
    about: 'The same for a company that is not verified. 0 means no limit.',
    fallback: String(limits.certificatesPerDay.unverified),
    read: perDay,
  }),
  otherSellers: setting({
    name: 'MILLSEAL_OTHER_SELLERS',
    about:
      'Whether companies may notarize live certificates that name another seller, as traders do: on or off.',
    fallback: 'on',
    read: onOrOff,
  }),
}
