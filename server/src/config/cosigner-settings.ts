import { list, optionalLine, setting, wholeNumber } from './setting-values.ts'
import { sealSettings } from './seal-settings.ts'
import { stampSettings } from './stamp-settings.ts'

/** Who signs checkpoints of the log besides its operator. */
export const cosignerSettings = {
  ...stampSettings,
  ...sealSettings,
  cosigners: setting({
    name: 'MILLSEAL_COSIGNERS',
    about:
      'File that names the cosigners of the log, with their addresses, and how many of them confirm an entry, in the format C2SP tlog-policy.',
    fallback: '',
    read: optionalLine,
  }),
  cosignersTimeoutMs: setting({
    name: 'MILLSEAL_COSIGNERS_TIMEOUT_MS',
    about: 'Milliseconds that a cosigner has to answer one request.',
    fallback: '2000',
    read: wholeNumber(100, 60_000),
  }),
  verifyNodes: setting({
    name: 'MILLSEAL_VERIFY_NODES',
    about:
      'Which witnesses in MILLSEAL_COSIGNERS are nodes that the page /verify asks if this service does not answer or has no proof: their names, with commas.',
    fallback: '',
    read: list,
  }),
  confirm: setting({
    name: 'MILLSEAL_CONFIRM',
    about:
      'When a certificate is notarized, mailed and announced: log (once the log has its entry) or quorum (once a quorum of MILLSEAL_COSIGNERS has signed that).',
    fallback: 'log',
    read: (value): 'log' | 'quorum' => {
      if (value === 'log' || value === 'quorum') return value
      throw new Error('log or quorum')
    },
  }),
  confirmWaitMs: setting({
    name: 'MILLSEAL_CONFIRM_WAIT_MS',
    about: 'Milliseconds after its entry that a mail with a certificate waits for the cosigners.',
    fallback: '5000',
    read: wholeNumber(0, 60_000),
  }),
}
