import { honoursIdempotencyKey, memberRoleOf } from '../deduce.ts'
import { limits } from '../limits.ts'
import type { Operation } from '../operation.ts'

export const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' }

export const apiDescription = `Notarizes material quality certificates: validate, render, notarize and verify JSON certificates, manage the keys that sign them, and receive events by webhooks, e-mails and MQTT.

**Addresses.** Paths start with \`/api\`, with \`/<service>\` (\`/user-service/users\`), or with nothing on the host of a service. A trailing slash is ignored.

**Modes.** Every operation on keys and certificates runs in \`test\` or \`live\`. Live mode requires a verified company and a user with MFA.

**Two variants.** Operations marked \`x-variant: earlier\` exist for clients of the earlier variant of this API. New clients use applications and tokens.

**Tokens.** Send \`authorization: Bearer <token>\`. Users name a company in the header \`company\`. The token of an application contains its company and mode.

**Inputs.** The server ignores properties that an operation does not declare. JSON certificates and ledger transactions keep all properties.

**Lists** are plain arrays, newest first unless they say otherwise. Without \`limit\` and \`after\` they contain the first ${limits.page.default}.

**Errors** have the body \`ErrorResponseDto\`; \`details\` names the invalid field and the reason in English, \`reasons\` has a code and values for each. Every response has \`x-request-id\` and, if calls are limited, the \`X-RateLimit\` headers.

**Limits.** ${limits.callsPerMinute} calls per minute, client and operation, unless an operation says otherwise; bodies up to ${limits.body.defaultBytes / 1024} KiB, without a token ${limits.body.publicBytes / 1024} KiB; certificates up to ${limits.body.certificateBytes / 1024 / 1024} MiB, or up to 10 MiB if the operator allows it.

**Retries.** POSTs that create something accept an \`Idempotency-Key\`. The same key with a different request is rejected. A retry does not show secrets again that are shown only once.

**Versions.** \`x-version\` is the major version; the default is 1. An unknown or removed version gives status 404.`

export const tagDescriptions: Readonly<Record<string, string>> = {
  auth: 'Signing in with a password',
  sessions: 'The sessions of a user',
  access_tokens: 'Long-lived tokens of the earlier variant',
  users: 'Registration, passwords and profiles',
  mfa: 'Authenticators, passkeys and recovery codes',
  companies: 'Companies and their verification',
  members: 'The members of a company and their roles',
  invitations: 'Inviting people to a company by e-mail',
  suppressions: 'Addresses that get no more mails of a company',
  applications: 'Credentials for machines',
  tokens: 'Access tokens for applications',
  cointypes: 'Types of ledgers by BIP-44 number',
  nodes: 'The ledgers that transactions are sent to',
  wallets: 'The root keys of a company',
  identities: 'Key pairs that sign for a company',
  transactions: 'Building, signing and sending transactions',
  certificates: 'Validating, rendering, notarizing and verifying certificates',
  counts: 'The numbers beside the navigation of the console',
  packs: 'Imported schemas of certificates',
  looks: 'How the certificates of a company look',
  customers: 'The customers of a company, for its certificates',
  orders: 'Order lines that certificates are compared with',
  requirements: 'What certificates must meet, and checking them',
  inbox:
    'The desk of a receiver: what came, whether it is genuine, valid and meets the order, and what was decided',
  hooks: 'Webhooks',
  events: 'Events sent to webhooks',
  mailhooks: 'E-mails about events',
  mails: 'Sent e-mails',
  broker: 'Events over MQTT',
  mail_folder: 'Mails that were saved as files, for operators of the service',
  jobs: 'Background work that failed, for operators of the service',
  status: 'The state of the installation, for operators of the service',
  audit: 'Who did what, for operators of the service',
  health: 'For load balancers and monitors',
}

export const tagOf = ({ id }: Operation): string => id.slice(0, id.indexOf('.'))

const code = (text: string) => `\`${text}\``

const roleNames = {
  admin: 'admins',
  approver: 'admins or approvers',
  clerk: 'admins, approvers or clerks',
  operator: 'admins, approvers, clerks or operators',
  read_only: undefined,
} as const

const whoMay = (operation: Operation): string[] => {
  const role = memberRoleOf(operation)
  const members = role && roleNames[role]
  return [
    operation.admin ? 'Only for operators of the service.' : '',
    members ? `Members must be ${members}.` : '',
    operation.access === 'user' && !operation.admin ? 'For users, not for applications.' : '',
    operation.liveGate ? 'Live mode requires a verified company and MFA.' : '',
  ]
}

const otherAddresses = ({ aliases, alsoMethods }: Operation): string[] => [
  aliases ? `Also available at ${aliases.map(code).join(', ')}.` : '',
  alsoMethods ? `${alsoMethods.map(code).join(', ')} does the same.` : '',
]

/** Documents are written as the file of a form where a body of JSON has an operation of its own, or cannot be. */
export const isForm = ({ path, body }: Operation): boolean =>
  path.endsWith('-file') || (body?.kind === 'document' && !body.accepts.includes('application/json'))

const otherWays = (operation: Operation): string => {
  const { body } = operation
  if (body?.kind !== 'document') return ''
  return isForm(operation)
    ? `The document can also be the body, as ${body.accepts.join(' or ')}.`
    : 'The document can also be the field `file` of a form (`multipart/form-data`).'
}

const limitsOf = ({ limit }: Operation): string[] => [
  limit?.perMinute === 'unlimited' ? 'The number of calls is not limited.' : '',
  typeof limit?.perMinute === 'number' ? `At most ${limit.perMinute} calls per minute and client.` : '',
]

export const descriptionOf = (operation: Operation): string => {
  const secrets = operation.secrets && honoursIdempotencyKey(operation) ? operation.secrets : []
  const consequences = [
    ...whoMay(operation),
    ...otherAddresses(operation),
    otherWays(operation),
    ...limitsOf(operation),
    secrets.length > 0 ? `The answer to a retry does not contain ${secrets.map(code).join(', ')}.` : '',
  ]
  return [operation.description ?? '', consequences.filter(Boolean).join(' ')].filter(Boolean).join('\n\n')
}
