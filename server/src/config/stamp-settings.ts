import { optionalLine, setting, wholeNumber } from './setting-values.ts'

/** Who stamps the checkpoints of the log with a time. */
export const stampSettings = {
  stamps: setting({
    name: 'MILLSEAL_STAMPS',
    about:
      'File that names the authorities for time stamps (RFC 3161) that stamp the checkpoints of the log, each with its address and the file of its root certificate.',
    fallback: '',
    read: optionalLine,
  }),
  stampsEverySeconds: setting({
    name: 'MILLSEAL_STAMPS_EVERY_SECONDS',
    about: 'Seconds after which the newest checkpoint is stamped, if the log has new entries.',
    fallback: '600',
    read: wholeNumber(1, 86_400),
  }),
}
