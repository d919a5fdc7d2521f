import type { OperationName } from '@millseal/contract'
import type { Texts } from '../texts/languages.ts'

export type ScreenName = keyof Texts['shell']['screens']

export type NavigationEntry = {
  readonly to: string
  readonly name: ScreenName
  /** Shown only if the person may call this. */
  readonly needs?: OperationName
  /** Shown only to members of a company. */
  readonly ofCompany?: true
  /** Shown only if the installation saves its mails. */
  readonly ofMailFolder?: true
}

/** The screens in the order of the navigation. */
export const navigation: readonly {
  readonly name: keyof Texts['shell']['sections'] | undefined
  readonly entries: readonly NavigationEntry[]
}[] = [
  {
    name: undefined,
    entries: [
      { to: '/start', name: 'start' },
      { to: '/certificates', name: 'certificates', needs: 'listCertificates', ofCompany: true },
      { to: '/received', name: 'received', needs: 'listCertificates', ofCompany: true },
      { to: '/desk', name: 'desk', needs: 'listInbox', ofCompany: true },
      { to: '/requirements', name: 'requirements', needs: 'listRequirements', ofCompany: true },
      { to: '/orders', name: 'orders', needs: 'listOrderLines', ofCompany: true },
    ],
  },
  {
    name: 'proof',
    entries: [
      { to: '/keys', name: 'keys', ofCompany: true, needs: 'listIdentities' },
      { to: '/transactions', name: 'transactions', ofCompany: true, needs: 'listTransactions' },
    ],
  },
  {
    name: 'connect',
    entries: [
      { to: '/automation', name: 'automation', ofCompany: true },
      { to: '/webhooks', name: 'webhooks', ofCompany: true, needs: 'listHooks' },
      { to: '/events', name: 'events', ofCompany: true, needs: 'listEvents' },
      { to: '/mails', name: 'mails', ofCompany: true, needs: 'listMails' },
    ],
  },
  {
    name: 'company',
    entries: [
      { to: '/company', name: 'company' },
      { to: '/members', name: 'members', ofCompany: true },
      { to: '/customers', name: 'customers', ofCompany: true, needs: 'listCustomers' },
      { to: '/me', name: 'me' },
    ],
  },
  {
    name: 'operator',
    entries: [
      { to: '/operator/reviews', name: 'reviews', needs: 'listReviewQueue' },
      { to: '/operator/companies', name: 'companies', needs: 'listReviewQueue' },
      { to: '/operator/users', name: 'users', needs: 'listUsers' },
      { to: '/operator/networks', name: 'networks', needs: 'createNode' },
      { to: '/operator/schemas', name: 'schemas', needs: 'listPacks' },
      { to: '/operator/mails', name: 'savedMails', needs: 'listWrittenMails', ofMailFolder: true },
      { to: '/operator/health', name: 'health', needs: 'readStatus' },
      { to: '/operator/audit', name: 'audit', needs: 'listAuditEntries' },
    ],
  },
]
