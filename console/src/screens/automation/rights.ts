import type { ScopeObject } from '@millseal/contract'
import type { Texts } from '../../texts/languages.ts'

export type Resource = keyof Texts['automation']['resources']
export type Access = keyof Texts['automation']['access']
export type Rights = Readonly<Record<Resource, Access>>

/** The order is that of the form. */
export const resources: readonly Resource[] = [
  'certificates',
  'identities',
  'wallets',
  'transactions',
  'hooks',
  'events',
  'mailhooks',
  'mails',
  'customers',
  'requirements',
  'orders',
  'inbox',
  'companies',
]

const reading = ['read_one', 'read_many']
/** The server reads it as every action that can be granted. */
const everything = ['*']

export const startingRights: Rights = {
  certificates: 'all',
  identities: 'read',
  wallets: 'none',
  transactions: 'read',
  hooks: 'none',
  events: 'none',
  mailhooks: 'none',
  mails: 'none',
  customers: 'none',
  requirements: 'none',
  orders: 'none',
  inbox: 'none',
  companies: 'none',
}

export const scopesOf = (rights: Rights): ScopeObject =>
  Object.fromEntries(
    resources.flatMap((resource) => {
      const access = rights[resource]
      return access === 'none' ? [] : [[resource, { actions: access === 'all' ? everything : reading }]]
    }),
  )

/** Any scope beyond reading counts as everything. */
export const rightsOf = (scopes: ScopeObject): Rights => {
  const accessTo = (resource: Resource): Access => {
    const actions = scopes[resource]?.actions ?? []
    if (actions.length === 0) return 'none'
    return actions.every((action) => reading.includes(action)) ? 'read' : 'all'
  }
  return Object.fromEntries(resources.map((resource) => [resource, accessTo(resource)])) as Rights
}
