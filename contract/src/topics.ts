import type { Static, TSchema } from 'typebox'
import type { Action } from './operation.ts'
import type { ScopeAction, ScopeResource } from './scopes.ts'
import { CertificateJson } from './shapes/certificate-checks.ts'
import { CorrectedCertificate, RevokedCertificates } from './shapes/certificates.ts'
import { Company } from './shapes/companies.ts'
import { AlarmedCertificate, DecidedCertificate } from './shapes/inbox-events.ts'
import { Hook } from './shapes/hooks.ts'
import { Identity } from './shapes/identities.ts'
import { MailHook } from './shapes/mails.ts'
import { AccessToken, Application } from './shapes/tokens.ts'
import { Transaction } from './shapes/transactions.ts'
import { Wallet } from './shapes/wallets.ts'
import type { Mode } from './vocabulary.ts'

export type EventVariant = 'current' | 'earlier'

export type EventDeclaration = {
  /** Spelled as in topics; scopes spell some resources differently. */
  readonly resource: string
  readonly action: ScopeAction
  readonly variants: readonly EventVariant[]
  /** The scope that an application needs to subscribe. */
  readonly scope: Action
  /** Or one of these: an application that hears of a certificate also hears that it is no longer valid. */
  readonly otherScopes: readonly Action[]
  readonly owners: readonly TopicOwner[]
  readonly payload: TSchema
  readonly summary: string
}

export const topicOwners = ['user', 'company'] as const
export type TopicOwner = (typeof topicOwners)[number]

const both = ['current', 'earlier'] as const
const current = ['current'] as const
const earlier = ['earlier'] as const

const topicSpelling = { mailhooks: 'mail_hooks', accesstoken: 'access_token' } as const
type Spelling = typeof topicSpelling
type TopicResource<R extends ScopeResource> = R extends keyof Spelling ? Spelling[R] : R

const spell = <R extends ScopeResource>(resource: R): TopicResource<R> =>
  ((topicSpelling as Partial<Record<ScopeResource, string>>)[resource] ?? resource) as TopicResource<R>

const about =
  <const R extends ScopeResource>(
    resource: R,
    payload: TSchema,
    owners: readonly TopicOwner[] = ['company'],
    otherScopes: readonly Action[] = [],
  ) =>
  <const A extends ScopeAction>(action: A, variants: readonly EventVariant[], summary: string) =>
    ({
      resource: spell(resource),
      action,
      variants,
      scope: { resource, action },
      otherScopes,
      owners,
      payload,
      summary,
    }) as const

const company = about('companies', Company, topicOwners)
const application = about('applications', Application)
const accessToken = about('accesstoken', AccessToken)
const wallet = about('wallets', Wallet)
const identity = about('identities', Identity)
const transaction = about('transactions', Transaction)
const certificate = about('certificates', CertificateJson)
const listenersOfCertificates = [
  { resource: 'certificates', action: 'notarize_one' },
  { resource: 'certificates', action: 'receive_one' },
] as const
const correctedCertificate = about('certificates', CorrectedCertificate, ['company'], listenersOfCertificates)
const revokedCertificates = about('certificates', RevokedCertificates, ['company'], listenersOfCertificates)
const decided = about('inbox', DecidedCertificate)
const alarmed = about('inbox', AlarmedCertificate)
const hook = about('hooks', Hook)
const mailHook = about('mailhooks', MailHook)

/** Every event of the service. Payloads never contain secrets. */
export const events = [
  company('update_one', both, 'A company was changed, verified or rejected'),
  company('delete_one', current, 'A company was deleted'),
  application('create_one', current, 'An application was created'),
  application('update_one', current, 'An application was changed or its secret rotated'),
  application('delete_one', current, 'An application was deleted'),
  accessToken('create_one', earlier, 'A long-lived access token was created'),
  accessToken('update_one', earlier, 'A long-lived access token was replaced or revoked'),
  wallet('create_one', both, 'A wallet was created'),
  wallet('update_one', both, 'A wallet was renamed, backed up or recovered'),
  wallet('delete_one', both, 'The keys of a wallet were deleted'),
  identity('create_one', both, 'An identity was created'),
  identity('update_one', current, 'An identity was published or became obsolete'),
  identity('notarize_one', earlier, 'An identity was published'),
  identity('revoke_one', current, 'An identity was revoked'),
  transaction('sign', both, 'A transaction was signed'),
  transaction('send', both, 'A transaction was recorded on the ledger'),
  certificate('notarize_one', both, 'A certificate of the company was notarized'),
  certificate('receive_one', both, 'A certificate that names the company as receiver was notarized'),
  correctedCertificate('withdraw_one', current, 'A certificate was withdrawn'),
  correctedCertificate('replace_one', current, 'A certificate was replaced by another one'),
  revokedCertificates(
    'revoke_many',
    current,
    'Certificates are not to be trusted any more, because their key was revoked',
  ),
  decided('accept_one', current, 'A receiver accepted a certificate'),
  decided('reject_one', current, 'A receiver rejected a certificate'),
  decided('reopen_one', current, 'A receiver took back what it decided about a certificate'),
  alarmed('alarm_one', current, 'A certificate that the company accepted is no longer valid'),
  hook('create_one', both, 'A webhook was registered'),
  hook('update_one', both, 'A webhook was changed'),
  hook('delete_one', both, 'A webhook was deleted'),
  mailHook('create_one', both, 'A mail hook was registered'),
  mailHook('update_one', both, 'A mail hook was changed'),
  mailHook('delete_one', both, 'A mail hook was deleted'),
] as const satisfies readonly EventDeclaration[]

export type EventResource = (typeof events)[number]['resource']
/** A resource and one of its actions. */
export type EventName = (typeof events)[number] extends infer E
  ? E extends { resource: infer R; action: infer A }
    ? { readonly resource: R; readonly action: A }
    : never
  : never

/** The payload of an event: the body of a webhook request or an MQTT message. */
export type EventPayload<R extends EventName['resource'], A extends EventName['action']> = Static<
  Extract<(typeof events)[number], { resource: R; action: A }>['payload']
>

/** Wildcards for both modes in a topic filter: `+` is standard MQTT, `*` is for older clients. */
export const modeWildcards = ['+', '*'] as const
export type ModeWildcard = (typeof modeWildcards)[number]

export const topicPattern = '{owner}/{ownerId}/{mode}/{resource}/{action}'

export type TopicParts = EventName & {
  readonly owner: TopicOwner
  readonly id: string
  /** For resources without a mode: the mode of the acting token, or live for a user. */
  readonly mode: Mode | ModeWildcard
}

export const topic = ({ owner, id, mode, resource, action }: TopicParts): string =>
  [owner, id, mode, resource, action].join('/')
