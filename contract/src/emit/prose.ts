import { honoursIdempotencyKey, memberRoleOf } from '../deduce.ts'
import { limits } from '../limits.ts'
import type { Operation } from '../operation.ts'

export const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' }

export const apiDescription = `Notarizes material quality certificates: validate, render, notarize and verify JSON certificates, manage the keys that sign them, and be told of what happens by webhooks, mails and MQTT.

**Addresses.** Paths are served below \`/api\`, below \`/<service>\` (\`/user-service/users\`), and bare on a host of their own. A trailing slash does no harm.

**Modes.** Every operation on keys and certificates runs in \`test\` or \`live\`. Live resources need a verified company and a user with MFA.

**Two variants.** Operations marked \`x-variant: earlier\` are kept for clients of the earlier variant of this API. New clients use applications and tokens.

**Tokens.** Send \`authorization: Bearer <token>\`. People act for a company by the header \`company\`; applications carry their company and mode in the token.

**Inputs.** Properties that an operation does not declare are dropped, not refused. JSON certificates and ledger transactions are kept whole.

**Lists** are bare arrays, newest first. Without \`limit\` and \`after\` they hold the newest ${limits.page.default}.

**Errors** all have the body \`ErrorResponseDto\`; \`details\` says which field is wrong and why. Every response carries \`x-request-id\` and, where calls are limited, the \`X-RateLimit\` headers.

**Limits.** ${limits.callsPerMinute} calls per client and operation in a minute, unless an operation says otherwise; bodies of ${limits.body.defaultBytes / 1024} KiB, certificates of ${limits.body.certificateBytes / 1024} KiB, or as many MiB, up to 10, as the operator allows.

**Repeating a call.** POSTs that create something take an \`Idempotency-Key\`. The same key with another request is refused. Secrets that are shown once are not shown again by a repeated call.

**Versions.** \`x-version\` names the major version; without it, version 1 answers. An unknown or removed version is answered with 404.`

export const tagDescriptions: Readonly<Record<string, string>> = {
  auth: 'Signing in with a password',
  sessions: 'Where a user is signed in',
  access_tokens: 'Long-lived tokens, the forerunners of applications',
  users: 'Registration, passwords and profiles',
  mfa: 'Authenticators and the recovery code',
  companies: 'Companies and their verification',
  members: 'Who may act for a company',
  applications: 'Credentials for machines',
  tokens: 'Access tokens for applications',
  cointypes: 'Kinds of ledgers, by BIP-44 number',
  nodes: 'The ledgers that transactions are sent to',
  wallets: 'The root keys of a company',
  identities: 'Key pairs that sign for a company',
  transactions: 'Building, signing and sending to the ledger by hand',
  certificates: 'Validating, rendering, notarizing and verifying certificates',
  hooks: 'Webhooks',
  events: 'What webhooks were told',
  mailhooks: 'Mails on events',
  mails: 'What was mailed',
  broker: 'Events over MQTT',
  health: 'For load balancers and monitors',
}

export const tagOf = ({ id }: Operation): string => id.slice(0, id.indexOf('.'))

const code = (text: string) => `\`${text}\``

const roleNames = { admin: 'admins', operator: 'admins and operators', read_only: undefined } as const

const whoMay = (operation: Operation): string[] => {
  const role = memberRoleOf(operation)
  const members = role && roleNames[role]
  return [
    operation.admin ? 'Reserved to operators of the platform.' : '',
    members ? `Among the members of the company, for ${members}.` : '',
    operation.access === 'user' && !operation.admin ? 'For people, not for applications.' : '',
    operation.liveGate ? 'In live mode: only for verified companies, and users with MFA.' : '',
  ]
}

const otherAddresses = ({ aliases, alsoMethods }: Operation): string[] => [
  aliases ? `Also at ${aliases.map(code).join(', ')}.` : '',
  alsoMethods ? `${alsoMethods.map(code).join(', ')} does the same.` : '',
]

const limitsOf = ({ limit }: Operation): string[] => [
  limit?.perMinute === 'unlimited' ? 'Not limited in calls.' : '',
  typeof limit?.perMinute === 'number' ? `${limit.perMinute} calls per client in a minute.` : '',
]

export const descriptionOf = (operation: Operation): string => {
  const secrets = operation.secrets && honoursIdempotencyKey(operation) ? operation.secrets : []
  const consequences = [
    ...whoMay(operation),
    ...otherAddresses(operation),
    ...limitsOf(operation),
    secrets.length > 0 ? `A repeated call leaves out ${secrets.map(code).join(', ')}.` : '',
  ]
  return [operation.description ?? '', consequences.filter(Boolean).join(' ')].filter(Boolean).join('\n\n')
}
