import { limits } from '@millseal/contract/limits'
import { perDay, publicKeyP256, setting, url, wholeNumber } from './setting-values.ts'

export const mailSettings = {
  smtpUrl: setting({
    name: 'SMTP_URL',
    about:
      'Mail server, for example smtps://user:password@mail.example.com. Without it, e-mails are saved as .eml files.',
    fallback: '',
    read: url('smtp:', 'smtps:'),
  }),
  mailFrom: setting({
    name: 'MILLSEAL_MAIL_FROM',
    about: 'Sender of all e-mails.',
    fallback: 'Millseal <millseal@localhost>',
    read: (value): string => {
      if (!/^(?:[^<>\p{Cc}]+<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(value))
        throw new Error('an address, for example Millseal <millseal@example.com>')
      return value
    },
  }),
  mailsPerDay: setting({
    name: 'MILLSEAL_MAILS_PER_DAY',
    about:
      'Maximum number of e-mails about certificates and events per company and day (UTC); further ones are not sent. 0 means no limit.',
    fallback: String(limits.mailsPerDay),
    read: perDay,
  }),
  mailBytes: setting({
    name: 'MILLSEAL_MAIL_MIB',
    about:
      'Maximum size of an e-mail in MiB that mail servers accept; larger certificates are sent as a link instead of attachments.',
    fallback: '10',
    read: (value) => wholeNumber(1, 100)(value) * 2 ** 20,
  }),
  mailStatusKey: setting({
    name: 'MILLSEAL_MAIL_STATUS_KEY',
    about:
      'Public key (base64) of the signed event webhook of SendGrid, which reports the delivery of e-mails.',
    fallback: '',
    read: publicKeyP256,
  }),
}
