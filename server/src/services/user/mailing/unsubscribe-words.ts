import type { PageLanguage } from '../../../http/pages/page-language.ts'

export const unsubscribeWords = {
  en: {
    title: 'Mails',
    invalid: 'This link is not valid',
    invalidText: 'Copy it completely from the mail.',
    question: 'Stop these mails?',
    about: (company: string, address: string) =>
      `${company} sends mails about certificates to ${address} through this service.`,
    account: 'Mails about your own account, such as security notices, are not affected.',
    stop: (company: string) => `No more mails from ${company}`,
    stopAll: 'No more mails from any company',
    stopped: 'You get no more mails',
    nobody: (address: string) => `Companies can no longer send mails to ${address} through this service.`,
    notThis: (company: string, address: string) =>
      `${company} can no longer send mails to ${address} through this service.`,
    resume: 'Send me mails again',
  },
  de: {
    title: 'E-Mails',
    invalid: 'Dieser Link ist ungültig',
    invalidText: 'Kopieren Sie ihn vollständig aus der E-Mail.',
    question: 'Diese E-Mails abbestellen?',
    about: (company: string, address: string) =>
      `${company} schickt über diesen Dienst E-Mails zu Zeugnissen an ${address}.`,
    account: 'E-Mails zu Ihrem eigenen Konto, zum Beispiel Sicherheitshinweise, sind davon nicht betroffen.',
    stop: (company: string) => `Keine E-Mails mehr von ${company}`,
    stopAll: 'Keine E-Mails mehr von irgendeiner Firma',
    stopped: 'Sie erhalten keine E-Mails mehr',
    nobody: (address: string) =>
      `Firmen können über diesen Dienst keine E-Mails mehr an ${address} schicken.`,
    notThis: (company: string, address: string) =>
      `${company} kann über diesen Dienst keine E-Mails mehr an ${address} schicken.`,
    resume: 'Doch wieder E-Mails schicken',
  },
} satisfies Record<PageLanguage, unknown>
