import { limits } from '@millseal/contract/limits'
import { onOrOff, perDay, setting, wholeNumber } from './setting-values.ts'

/** 0 means no limit. */
const minutes = (value: string): number => wholeNumber(0, 100_000)(value) || Infinity

export const certificateSettings = {
  certificateMebibytes: setting({
    name: 'MILLSEAL_CERTIFICATE_MIB',
    about: 'Maximum size of a certificate in MiB; raise it if certificates contain large files.',
    fallback: String(limits.body.certificateBytes / 1024 / 1024),
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
  companyQueueMinutes: setting({
    name: 'MILLSEAL_COMPANY_QUEUE_MINUTES',
    about:
      'How many minutes of work of one company may wait to be notarized before it can submit no more (429). 0 means no limit.',
    fallback: '60',
    read: minutes,
  }),
  queueMinutes: setting({
    name: 'MILLSEAL_QUEUE_MINUTES',
    about: 'The same for all companies together (503). 0 means no limit.',
    fallback: '240',
    read: minutes,
  }),
  samples: setting({
    name: 'MILLSEAL_SAMPLES',
    about:
      'Whether the home page offers sample certificates, which the first start records in the test log: on or off.',
    fallback: 'on',
    read: onOrOff,
  }),
  otherSellers: setting({
    name: 'MILLSEAL_OTHER_SELLERS',
    about:
      'Whether companies may notarize live certificates that name another seller, as traders do: on or off.',
    fallback: 'on',
    read: onOrOff,
  }),
}
