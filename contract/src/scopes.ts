import { type Static, Type } from 'typebox'
import { limits } from './limits.ts'

/**
 * The actions an application or a long-lived token can be given, by resource. The union of what both variants of the
 * API name; `scopeAliases` folds the synonyms into one spelling.
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
  identities: [...crud, 'notarize_one'],
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
  ],
  hooks: crud,
  events: ['read_one', 'read_many', 'update_one', 'send', 'retry_one'],
  mailhooks: [...crud, 'validate_one'],
  mails: ['read_one', 'read_many', 'update_one', 'send', 'retry_one'],
} as const

export type ScopeResource = keyof typeof scopeCatalogue
export type ScopeAction = (typeof scopeCatalogue)[ScopeResource][number]

/**
 * What a machine can be given, by resource; a resource that is missing is for persons alone. Accounts, sessions and
 * credentials stay with people, and what the operators of the platform write, nobody else writes. Some actions are
 * there only because older clients name them: no operation takes them from a machine.
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
  hooks: scopeCatalogue.hooks,
  events: scopeCatalogue.events,
  mailhooks: scopeCatalogue.mailhooks,
  mails: scopeCatalogue.mails,
}

/** Stands for all actions of its resource that can be given. */
export const everyAction = '*'

/** Other spellings that clients send, folded into the catalogue's. */
export const scopeAliases: Readonly<Record<string, ScopeResource>> = {
  wallet: 'wallets',
  mail_hooks: 'mailhooks',
  access_token: 'accesstoken',
  access_tokens: 'accesstoken',
}

const scopeName = Type.String({ minLength: 1, maxLength: limits.scopes.nameLength })

export const ScopeObject = Type.Unsafe<Record<string, { actions: string[] }>>({
  title: 'CompanyTokenScopesDto',
  description:
    'A map from resource to the actions allowed on it; "*" stands for all actions of the resource.',
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
