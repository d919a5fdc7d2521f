import { limits, modes, type Service, services } from '@millseal/contract'
import { brokerSettings } from './config/broker-settings.ts'
import {
  list,
  onOrOff,
  publicKeyP256,
  setting,
  someOf,
  text,
  url,
  wholeNumber,
} from './config/setting-values.ts'

/**
 * The only reader of the environment. Every setting has a name, a sentence and a default; a value that cannot be used
 * is one line naming the setting.
 */
const processRoles = ['api', 'worker', 'broker'] as const

export type Config = Readonly<{ [K in keyof typeof settings]: ReturnType<(typeof settings)[K]['read']> }>

const shortServices = services.map((service) => service.replace('-service', ''))

const settings = {
  port: setting({
    name: 'MILLSEAL_PORT',
    about: 'TCP port of the HTTP server; 0 takes a free one.',
    fallback: '8080',
    read: wholeNumber(0, 65_535),
  }),
  host: setting({
    name: 'MILLSEAL_HOST',
    about: 'Address to listen on; 0.0.0.0 or :: to be reachable from other machines.',
    fallback: '127.0.0.1',
    read: (value) => value,
  }),
  publicUrl: setting({
    name: 'MILLSEAL_PUBLIC_URL',
    about: 'How people and machines reach this service from outside; used in mails and links.',
    fallback: '',
    read: url('http:', 'https:'),
  }),
  dataDir: setting({
    name: 'MILLSEAL_DATA_DIR',
    about: 'Folder of everything that must survive: database, keys, mails.',
    fallback: './data',
    read: (value) => value,
  }),
  databaseUrl: setting({
    name: 'DATABASE_URL',
    about: 'A PostgreSQL (15 or newer) to use instead of the embedded one.',
    fallback: '',
    secret: true,
    read: url('postgres:', 'postgresql:'),
  }),
  databaseConnections: setting({
    name: 'MILLSEAL_DATABASE_CONNECTIONS',
    about: 'Most connections this process opens to the database.',
    fallback: '16',
    read: wholeNumber(4, 500),
  }),
  services: setting({
    name: 'MILLSEAL_SERVICES',
    about: `Which services this process serves: some of ${shortServices.join(', ')}.`,
    fallback: shortServices.join(','),
    read: (value): readonly Service[] =>
      someOf(shortServices)(value).map((short) => `${short}-service` as Service),
  }),
  roles: setting({
    name: 'MILLSEAL_ROLES',
    about:
      'What this process does: api answers HTTP, worker runs background jobs, broker serves MQTT (of several processes one at a time).',
    fallback: processRoles.join(','),
    read: someOf(processRoles),
  }),
  ...brokerSettings,
  rateLimit: setting({
    name: 'MILLSEAL_RATE_LIMIT',
    about:
      'Calls per client and endpoint per minute where an endpoint has no limit of its own; 0 switches all limits off, those of sign-in too.',
    fallback: String(limits.callsPerMinute),
    read: wholeNumber(0, 1_000_000),
  }),
  certificateMebibytes: setting({
    name: 'MILLSEAL_CERTIFICATE_MIB',
    about: 'How large a certificate may be, in MiB; more where files come inside of certificates.',
    fallback: '1',
    read: wholeNumber(1, 10),
  }),
  trustProxy: setting({
    name: 'MILLSEAL_TRUST_PROXY',
    about: 'Addresses or networks of reverse proxies whose X-Forwarded-For is believed, separated by commas.',
    fallback: '',
    read: list,
  }),
  smtpUrl: setting({
    name: 'SMTP_URL',
    about:
      'Mail server, for example smtps://user:password@mail.example.com; without it mails become .eml files.',
    fallback: '',
    secret: true,
    read: url('smtp:', 'smtps:'),
  }),
  mailFrom: setting({
    name: 'MILLSEAL_MAIL_FROM',
    about: 'Sender address of mails.',
    fallback: 'Millseal <millseal@localhost>',
    read: (value) => value,
  }),
  mailStatusKey: setting({
    name: 'MILLSEAL_MAIL_STATUS_KEY',
    about: 'Public key of the signed event webhook of SendGrid, to learn what became of mails; base64.',
    fallback: '',
    read: publicKeyP256,
  }),
  oidcIssuer: setting({
    name: 'OIDC_ISSUER',
    about:
      'Address of an OpenID provider that signs people in instead of the built-in one; https, or http on this machine.',
    fallback: '',
    read: (value): string | undefined => {
      if (value === '') return undefined
      const { protocol, hostname } = URL.canParse(value) ? new URL(value) : {}
      const isHere = protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname ?? '')
      if (protocol !== 'https:' && !isHere) throw new Error('a URL starting with https://')
      return value
    },
  }),
  oidcClientId: setting({
    name: 'OIDC_CLIENT_ID',
    about: 'As which client this service is registered at OIDC_ISSUER, with <public URL>/auth/callback.',
    fallback: '',
    read: text,
  }),
  oidcClientSecret: setting({
    name: 'OIDC_CLIENT_SECRET',
    about: 'The secret of that client; none for one that has only PKCE.',
    fallback: '',
    secret: true,
    read: text,
  }),
  masterKeys: setting({
    name: 'MILLSEAL_MASTER_KEY',
    about:
      'Key that seals all secrets at rest: 32 bytes in base64; more after commas only open, for a rotation. Without it a key file is kept in the data folder.',
    fallback: '',
    secret: true,
    read: (value): readonly string[] => {
      const keys = value === '' ? [] : value.split(',').map((key) => key.trim())
      if (keys.some((key) => Buffer.from(key, 'base64').length !== 32)) {
        throw new Error('32 bytes in base64 (for example from: openssl rand -base64 32)')
      }
      return keys
    },
  }),
  pkcs11Module: setting({
    name: 'MILLSEAL_PKCS11_MODULE',
    about: 'PKCS#11 library (a path) of the token under whose key the roots of live wallets lie.',
    fallback: '',
    read: text,
  }),
  pkcs11Token: setting({
    name: 'MILLSEAL_PKCS11_TOKEN',
    about: 'The label of that token.',
    fallback: 'millseal',
    read: (value) => value,
  }),
  pkcs11Pin: setting({
    name: 'MILLSEAL_PKCS11_PIN',
    about: 'The PIN of its user; required with a module.',
    fallback: '',
    secret: true,
    read: text,
  }),
  pkcs11KeyLabel: setting({
    name: 'MILLSEAL_PKCS11_KEY_LABEL',
    about: 'The label of its key, which is made where there is none.',
    fallback: 'millseal-wallets',
    read: (value) => value,
  }),
  vies: setting({
    name: 'MILLSEAL_VIES',
    about:
      'Where VAT ids are looked up: on asks VIES of the European Union, off asks nobody, a URL asks a mirror of its API.',
    fallback: 'on',
    read: (value): string => {
      if (value === 'on' || value === 'off') return value
      const protocol = URL.canParse(value) ? new URL(value).protocol : undefined
      if (protocol !== 'http:' && protocol !== 'https:')
        throw new Error('on, off, or a URL starting with http:// or https://')
      return value.replace(/\/$/, '')
    },
  }),
  operatorMfa: setting({
    name: 'MILLSEAL_OPERATOR_MFA',
    about: 'Whether operators need multi-factor authentication to review companies: on or off.',
    fallback: 'on',
    read: onOrOff,
  }),
  ledgerOrigin: setting({
    name: 'MILLSEAL_LEDGER_ORIGIN',
    about: 'Host that new logs are named after, for ever; without it, the host of the public URL.',
    fallback: '',
    read: (value): string | undefined => {
      if (!/^[^\s+]*$/.test(value)) throw new Error('a host, for example certificates.example.com')
      return text(value)
    },
  }),
  ledgerOpen: setting({
    name: 'MILLSEAL_LEDGER_OPEN',
    about:
      'Modes whose ledger takes transactions from anybody at /ledger/<mode>: none, test, live or test,live.',
    fallback: 'test',
    read: (value) => (value === 'none' ? [] : someOf(modes)(value)),
  }),
  webhookAllow: setting({
    name: 'MILLSEAL_WEBHOOK_ALLOW',
    about:
      'Targets of webhooks that may be private: networks (10.0.0.0/8), hosts (erp.local) or hosts with a port, separated by commas.',
    fallback: '',
    read: (value): readonly string[] => {
      const entries = list(value)
      if (!entries.every((entry) => /^([\da-f.:]+\/\d{1,3}|[^\s/:@]+(:\d{1,5})?)$/i.test(entry)))
        throw new Error('networks like 10.0.0.0/8 and hosts like erp.local:8443, separated by commas')
      return entries
    },
  }),
  metricsToken: setting({
    name: 'MILLSEAL_METRICS_TOKEN',
    about: 'Bearer token for /metrics; without it only this machine may read them.',
    fallback: '',
    secret: true,
    read: text,
  }),
  drainMs: setting({
    name: 'MILLSEAL_DRAIN_MS',
    about:
      'How long to answer "not ready" before closing on SIGTERM, so that a load balancer looks elsewhere.',
    fallback: '500',
    read: wholeNumber(0, 60_000),
  }),
  logLevel: setting({
    name: 'MILLSEAL_LOG_LEVEL',
    about: 'fatal, error, warn, info, debug or silent.',
    fallback: 'info',
    read: (value) => {
      const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
      const level = levels.find((known) => known === value)
      if (level === undefined) throw new Error(`one of ${levels.join(', ')}`)
      return level
    },
  }),
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export const readConfig = (environment: Readonly<Record<string, string | undefined>>): Config => {
  const config = Object.fromEntries(
    Object.entries(settings).map(([key, { name, fallback, read }]) => {
      try {
        return [key, read(environment[name]?.trim() ?? fallback)]
      } catch (error) {
        throw new ConfigError(`${name}: expected ${error instanceof Error ? error.message : 'another value'}`)
      }
    }),
  ) as Config
  if (config.oidcIssuer !== undefined && config.oidcClientId === undefined) {
    throw new ConfigError('OIDC_CLIENT_ID: expected the client this service is at OIDC_ISSUER')
  }
  if (config.pkcs11Module !== undefined && config.pkcs11Pin === undefined) {
    throw new ConfigError('MILLSEAL_PKCS11_PIN: expected the PIN of the token of MILLSEAL_PKCS11_MODULE')
  }
  if (config.amqpUrl !== undefined && (config.brokerAuthSecret === undefined || config.vhost === undefined)) {
    throw new ConfigError('AMQP_URL: needs MILLSEAL_BROKER_AUTH_SECRET and MILLSEAL_VHOST as well')
  }
  return config
}

/** Names that look like ours and are not: most likely a typing mistake. */
export const unknownSettings = (environment: Readonly<Record<string, string | undefined>>): string[] => {
  const known = Object.values(settings).map(({ name }) => name)
  return Object.keys(environment).filter(
    (name) =>
      name.startsWith('MILLSEAL_') &&
      !/^MILLSEAL_(TEST_|SERVER$|CLIENT_(ID|SECRET)$)/.test(name) &&
      !known.includes(name),
  )
}

export const settingsHelp = (): string =>
  Object.values(settings)
    .map(({ name, about, fallback }) => `  ${name}${fallback === '' ? '' : ` (${fallback})`}\n      ${about}`)
    .join('\n')
