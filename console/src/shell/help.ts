import type { RegisteredRouter } from '@tanstack/react-router'

/** The page of the documentation about each screen, with its heading. The left-out addresses have no frame or lead on. */
export const helpPages: Readonly<
  Record<Exclude<keyof RegisteredRouter['routesByPath'], '' | '/' | '/signed-in'>, string>
> = {
  '/start': 'console#what-you-find-where',
  '/certificates': 'certificates#find-certificates',
  '/certificates/$id': 'certificates#read-the-life-of-a-certificate',
  '/certificates/$id/replace': 'certificates#withdraw-or-replace-a-certificate',
  '/received': 'certificates#find-certificates-you-received',
  '/desk': 'desk',
  '/desk/$id': 'desk#decide',
  '/requirements': 'requirements',
  '/requirements/$id': 'requirements#write-one',
  '/orders': 'requirements#compare-with-your-orders',
  '/new': 'certificates#which-certificates-are-accepted',
  '/new/form': 'certificates#what-the-service-says-about-a-certificate',
  '/keys': 'keys',
  '/keys/$identity': 'keys#publish-an-identity',
  '/transactions': 'ledger',
  '/transactions/$id': 'ledger#what-is-recorded',
  '/automation': 'console#applications-and-tokens',
  '/webhooks': 'webhooks',
  '/webhooks/new': 'webhooks#write-a-receiver',
  '/webhooks/$id': 'webhooks#when-a-delivery-fails',
  '/events': 'mqtt',
  '/mails': 'mail',
  '/company': 'console#company-and-mode',
  '/company/new': 'names#company-names',
  '/members': 'mail#invite-people-to-a-company',
  '/customers': 'customers',
  '/me': 'console#your-account',
  '/operator/reviews': 'operating#operators',
  '/operator/reviews/$company': 'operating#operators',
  '/operator/companies': 'operating#operators',
  '/operator/users': 'operating#locked-accounts',
  '/operator/networks': 'ledger-api#record-on-another-network',
  '/operator/schemas': 'certificates#import-schemas',
  '/operator/mails': 'mail#when-a-mail-does-not-arrive',
  '/operator/health': 'operating#status',
  '/operator/audit': 'audit',
  '/$': 'console',
}

const pages: Readonly<Record<string, string>> = helpPages

export const helpAddress = (path: string | undefined): string =>
  `/docs/guide/${pages[path ?? ''] ?? helpPages['/$']}`
