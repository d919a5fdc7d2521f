// Not all of the contract: an invalid setting is to be named at once.
import { limits } from '@millseal/contract/limits'
import { nearest } from '@millseal/contract/nearest'
import { modes } from '@millseal/contract/vocabulary'
import { brokerSettings } from './config/broker-settings.ts'
import { certificateSettings } from './config/certificate-settings.ts'
import { cosignerSettings } from './config/cosigner-settings.ts'
import { filesSettings } from './config/files-settings.ts'
import { mailSettings } from './config/mail-settings.ts'
import { nodeSettings } from './config/node-settings.ts'
import { pkcs11Settings } from './config/pkcs11-settings.ts'
import { s3Settings } from './config/s3-settings.ts'
import { processSettings } from './config/process-settings.ts'
import { helpOf } from './config/settings-help.ts'
import { telemetrySettings } from './config/telemetry-settings.ts'
import { webhookSettings } from './config/webhook-settings.ts'
import {
  headerToken,
  hostName,
  line,
  networks,
  onOrOff,
  optionalLine,
  setting,
  someOf,
  text,
  url,
  wholeNumber,
} from './config/setting-values.ts'
import { Secret } from './lib/secret.ts'

/** All settings, read from the environment by `readConfig` alone. */
export type Config = Readonly<{ [K in keyof typeof settings]: ReturnType<(typeof settings)[K]['read']> }>

const settings = {
  port: setting({
    name: 'MILLSEAL_PORT',
    about:
      'TCP port of the HTTP server; 0 selects a free port. Without the role api, only health, readiness and metrics are there.',
    fallback: '8080',
    read: wholeNumber(0, 65_535),
  }),
  host: setting({
    name: 'MILLSEAL_HOST',
    about: 'Address to listen on; use 0.0.0.0 or :: to accept connections from other machines.',
    fallback: '127.0.0.1',
    read: hostName,
  }),
  publicUrl: setting({
    name: 'MILLSEAL_PUBLIC_URL',
    about: 'URL at which people and machines reach this service; used in links and e-mails.',
    fallback: '',
    read: url('http:', 'https:'),
  }),
  operatorName: setting({
    name: 'MILLSEAL_OPERATOR_NAME',
    about: 'Name of the organisation that runs this service; the home page shows it.',
    fallback: '',
    read: optionalLine,
  }),
  dataDir: setting({
    name: 'MILLSEAL_DATA_DIR',
    about: 'Folder for all persistent data: database, ledger, keys, e-mails.',
    fallback: './data',
    read: line,
  }),
  ...filesSettings,
  ...s3Settings,
  knownCheckpoints: setting({
    name: 'MILLSEAL_KNOWN_CHECKPOINTS',
    about:
      'Folder for the newest checkpoint of each log, which no backup may contain; by default <data folder>.known.',
    fallback: '',
    read: optionalLine,
  }),
  databaseUrl: setting({
    name: 'DATABASE_URL',
    about: 'PostgreSQL database (15 or newer) to use instead of the embedded one.',
    fallback: '',
    read: url('postgres:', 'postgresql:'),
  }),
  databaseConnections: setting({
    name: 'MILLSEAL_DATABASE_CONNECTIONS',
    about: 'Maximum number of database connections of this process.',
    fallback: '16',
    read: wholeNumber(4, 500),
  }),
  ...processSettings,
  ...brokerSettings,
  rateLimit: setting({
    name: 'MILLSEAL_RATE_LIMIT',
    about:
      'Maximum calls per client, endpoint and minute, for endpoints without their own limit; 0 turns off all limits, including those for sign-in.',
    fallback: String(limits.callsPerMinute),
    read: wholeNumber(0, 1_000_000),
  }),
  ...certificateSettings,
  trustProxy: setting({
    name: 'MILLSEAL_TRUST_PROXY',
    about: 'Addresses or networks of reverse proxies whose X-Forwarded-For is trusted, separated by commas.',
    fallback: '',
    read: networks,
  }),
  connectionsPerAddress: setting({
    name: 'MILLSEAL_CONNECTIONS_PER_ADDRESS',
    about: 'Maximum number of open HTTP connections per address, except for those of MILLSEAL_TRUST_PROXY.',
    fallback: '500',
    read: wholeNumber(1, 1_000_000),
  }),
  ...mailSettings,
  oidcIssuer: setting({
    name: 'OIDC_ISSUER',
    about: 'URL of an OpenID provider to use instead of the built-in one; https, or http on this machine.',
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
    about: 'Client ID of this service at OIDC_ISSUER; register <public URL>/auth/callback there.',
    fallback: '',
    read: optionalLine,
  }),
  oidcClientSecret: setting({
    name: 'OIDC_CLIENT_SECRET',
    about: 'Secret of that client; leave it unset for a public client (PKCE only).',
    fallback: '',
    read: optionalLine,
  }),
  oidcTrustAmr: setting({
    name: 'OIDC_TRUST_AMR',
    about:
      'Whether a sign-in counts as two factors if OIDC_ISSUER says so (amr with mfa): on or off. Without it, it is one factor.',
    fallback: 'off',
    read: onOrOff,
  }),
  masterKeys: setting({
    name: 'MILLSEAL_MASTER_KEY',
    about:
      'Master key that encrypts all stored secrets: 32 bytes in base64. Further keys, separated by commas, only decrypt, for a rotation. Without it, a key file is created in the data folder.',
    fallback: '',
    read: (value): readonly Secret<Buffer>[] => {
      const keys = value === '' ? [] : value.split(',').map((key) => Buffer.from(key, 'base64'))
      if (keys.some(({ length }) => length !== 32))
        throw new Error('32 bytes in base64 (for example from: openssl rand -base64 32)')
      return keys.map((key) => new Secret(key))
    },
  }),
  ...pkcs11Settings,
  vies: setting({
    name: 'MILLSEAL_VIES',
    about:
      'Where to look up VAT ids: on for VIES of the European Union, off for no look-ups, or the URL of a mirror of its API.',
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
    about: 'Host in the permanent name of new logs; by default the host of the public URL.',
    fallback: '',
    read: (value): string | undefined => {
      if (!/^[^\s+]*$/.test(value)) throw new Error('a host, for example certificates.example.com')
      return text(value)
    },
  }),
  ledgerOpen: setting({
    name: 'MILLSEAL_LEDGER_OPEN',
    about:
      'Modes whose ledger accepts transactions from anyone at /ledger/<mode>: none, test, live or test,live. In live mode, nobody can record hashes of certificates there.',
    fallback: 'test',
    read: (value) => (value === 'none' ? [] : someOf(modes)(value)),
  }),
  ...cosignerSettings,
  ...nodeSettings,
  ...webhookSettings,
  metricsToken: setting({
    name: 'MILLSEAL_METRICS_TOKEN',
    about:
      'Bearer token for /metrics. Without it, only this machine can read the metrics, and only if there is no proxy: MILLSEAL_TRUST_PROXY is empty and MILLSEAL_PUBLIC_URL is not https.',
    fallback: '',
    read: headerToken,
  }),
  ...telemetrySettings,
  drainMs: setting({
    name: 'MILLSEAL_DRAIN_MS',
    about:
      'Milliseconds to report "not ready" after SIGTERM before closing, so that load balancers can react.',
    fallback: '500',
    read: wholeNumber(0, 60_000),
  }),
  logLevel: setting({
    name: 'MILLSEAL_LOG_LEVEL',
    about: 'Log level: fatal, error, warn, info, debug or silent.',
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
  if (config.oidcIssuer !== undefined && config.oidcClientId === undefined)
    throw new ConfigError('OIDC_CLIENT_ID: required if OIDC_ISSUER is set')
  if (config.pkcs11Module !== undefined && config.pkcs11Pin === undefined)
    throw new ConfigError('MILLSEAL_PKCS11_PIN: required if MILLSEAL_PKCS11_MODULE is set')
  if (config.confirm === 'quorum' && config.cosigners === undefined)
    throw new ConfigError(
      'MILLSEAL_CONFIRM: quorum needs MILLSEAL_COSIGNERS, the file that says who confirms',
    )
  if (config.files === 's3') assertS3(config)
  assertWalArchive(config)
  if (config.amqpUrl !== undefined && (config.brokerAuthSecret === undefined || config.vhost === undefined)) {
    throw new ConfigError('AMQP_URL: set MILLSEAL_BROKER_AUTH_SECRET and MILLSEAL_VHOST too')
  }
  return config
}

const assertWalArchive = (config: Config): void => {
  if (config.walArchive === undefined || config.databaseUrl !== undefined) return
  if (config.files !== 'postgres' && config.files !== 's3')
    throw new ConfigError(
      'MILLSEAL_WAL_ARCHIVE: a log in the data folder would not be archived: set MILLSEAL_FILES to postgres or s3',
    )
}

export const filesInS3 = 'files in S3 (MILLSEAL_FILES=s3)'

export const assertS3 = (config: Config): void => {
  if (config.s3Bucket === undefined) throw new ConfigError(`MILLSEAL_S3_BUCKET: required for ${filesInS3}`)
  assertS3Key(config, filesInS3)
}

export const assertS3Key = ({ s3KeyId, s3Secret }: Config, purpose: string): void => {
  const required = { MILLSEAL_S3_KEY_ID: s3KeyId, MILLSEAL_S3_SECRET: s3Secret }
  for (const [name, value] of Object.entries(required))
    if (value === undefined) throw new ConfigError(`${name}: required for ${purpose}`)
}

/**
 * Names that begin like settings but are none, and names that are similar to one: most likely typos. Each with the
 * setting that it may mean.
 */
export const unknownSettings = (environment: Readonly<Record<string, string | undefined>>): string[] => {
  const known = Object.values(settings).map(({ name }) => name)
  return Object.keys(environment)
    .filter((name) => !known.includes(name) && !/^MILLSEAL_(TEST_|SERVER$|CLIENT_(ID|SECRET)$)/.test(name))
    .flatMap((name) => {
      const meant = meantSetting(name, known)
      if (meant !== undefined) return [`${name}, did you mean ${meant}?`]
      return name.startsWith(prefix) ? [name] : []
    })
}

const prefix = 'MILLSEAL_'

/** Names without our prefix may belong to other programs, so they have to be more similar. */
const meantSetting = (name: string, known: readonly string[]): string | undefined => {
  if (name.startsWith(prefix)) return nearest(name, known)
  if (known.includes(`${prefix}${name}`)) return `${prefix}${name}`
  const shared = known.filter((one) => !one.startsWith(prefix) && one.length - name.length < 3)
  const meant = nearest(name, shared)
  return meant !== undefined && meant.slice(0, 2) === name.slice(0, 2) ? meant : undefined
}

export const settingsHelp = (): string => helpOf(Object.values(settings))
