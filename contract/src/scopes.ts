import { type Static, Type } from 'typebox'
import { limits } from './limits.ts'

/**
 * All actions by resource. The union of what both variants of the
 * API name; `scopeAliases` maps the synonyms to one spelling.
 */
const crud = ['read_one', 'read_many', 'create_one', 'update_one', 'delete_one'] as const

export const scopeCatalogue = {
  auth: ['read_one', 'create_one', 'sign_in', 'sign_out', 'revoke'],
  sessions: ['read_one', 'read_many', 'create_one', 'revoke', 'delete_one', 'delete_all'],
  accesstoken: crud,
  users: [...crud, 'confirm', 'reset'],
  user_onboarding: ['read_one'],
  companies: [...crud, 'validate_one', 'confirm'],
  applications: crud,
  applications_secrets: ['rotate'],
  tokens: ['create_one'],
  cointypes: crud,
  nodes: crud,
  wallets: crud,
  identities: [...crud, 'notarize_one', 'revoke_one'],
  transactions: ['read_one', 'read_many', 'create_one', 'partial_sign', 'sign', 'send'],
  certificates: [
    'read_one',
    'read_many',
    'create_one',
    'create_many',
    'update_one',
    'validate_one',
    'validate_many',
    'render_one',
    'render_many',
    'sign',
    'send',
    'notarize_one',
    'notarize_many',
    'receive_one',
    'withdraw_one',
    'replace_one',
    'revoke_many',
  ],
  customers: crud,
  requirements: [...crud, 'check_one'],
  orders: ['read_one', 'read_many', 'create_many', 'delete_one'],
  inbox: [
    'read_one',
    'read_many',
    'create_one',
    'update_many',
    'decide_many',
    'accept_one',
    'reject_one',
    'reopen_one',
    'alarm_one',
  ],
  packs: ['read_many', 'create_one', 'delete_one'],
  hooks: crud,
  events: ['read_one', 'read_many', 'update_one', 'send', 'retry_one'],
  mailhooks: [...crud, 'validate_one'],
  mails: ['read_one', 'read_many', 'update_one', 'send', 'retry_one'],
} as const

export type ScopeResource = keyof typeof scopeCatalogue
export type ScopeAction = (typeof scopeCatalogue)[ScopeResource][number]

/**
 * The actions that applications and long-lived tokens can have. Resources that are missing are for users only: accounts,
 * sessions and credentials. Some actions have no operation and exist only because older clients request them.
 */
export const machineScopes: {
  readonly [R in ScopeResource]?: readonly (typeof scopeCatalogue)[R][number][]
} = {
  auth: ['read_one', 'create_one'],
  companies: scopeCatalogue.companies,
  cointypes: ['read_one', 'read_many'],
  nodes: ['read_one', 'read_many'],
  wallets: scopeCatalogue.wallets,
  identities: scopeCatalogue.identities,
  transactions: scopeCatalogue.transactions,
  certificates: scopeCatalogue.certificates,
  customers: scopeCatalogue.customers,
  requirements: scopeCatalogue.requirements,
  orders: scopeCatalogue.orders,
  inbox: scopeCatalogue.inbox,
  hooks: scopeCatalogue.hooks,
  events: scopeCatalogue.events,
  mailhooks: scopeCatalogue.mailhooks,
  mails: scopeCatalogue.mails,
}

/** Means all actions that can be granted for the resource. */
export const everyAction = '*'

/** Other spellings that clients send. */
export const scopeAliases: Readonly<Record<string, ScopeResource>> = {
  wallet: 'wallets',
  mail_hooks: 'mailhooks',
  access_token: 'accesstoken',
  access_tokens: 'accesstoken',
}

const scopeName = Type.String({ minLength: 1, maxLength: limits.scopes.nameLength })

export const ScopeObject = Type.Unsafe<Record<string, { actions: string[] }>>({
  title: 'CompanyTokenScopesDto',
  description: 'A map from resource to allowed actions; "*" means all actions of the resource.',
  examples: [{ certificates: { actions: ['*'] }, identities: { actions: ['*'] } }],
  type: 'object',
  maxProperties: limits.scopes.resources,
  propertyNames: scopeName,
  additionalProperties: {
    type: 'object',
    required: ['actions'],
    properties: { actions: Type.Array(scopeName, { maxItems: limits.scopes.actions }) },
  },
})
export type ScopeObject = Static<typeof ScopeObject>
