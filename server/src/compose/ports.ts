import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { createUndiciCourier } from '../adapters/courier/undici/undici.ts'
import { createEmlFolderMailer } from '../adapters/mailer/eml-folder.ts'
import { createSmtpMailer } from '../adapters/mailer/smtp.ts'
import { createCachedVatRegistry } from '../adapters/vat-registry/cached.ts'
import { createOfflineVatRegistry } from '../adapters/vat-registry/offline.ts'
import { type ObservedVatRegistry, observeVatRegistry } from '../adapters/vat-registry/observed.ts'
import { createViesRegistry } from '../adapters/vat-registry/vies.ts'
import { webhookTargets } from '../config/webhook-targets.ts'
import type { Config } from '../config.ts'
import type { Metrics } from '../http/metrics.ts'
import { Secret } from '../lib/secret.ts'
import type { Clock } from '../ports/clock/clock.ts'
import type { Courier } from '../ports/courier/courier.ts'
import type { Database } from '../ports/database/database.ts'
import type { JobRunner } from '../ports/jobs/jobs.ts'
import type { Keystore } from '../ports/keystore/keystore.ts'
import type { Mailer } from '../ports/mailer/mailer.ts'
import type { Tracer } from '../ports/tracer/tracer.ts'
import type { Vault } from '../ports/vault/vault.ts'
import type { UserDependencies } from '../services/user/index.ts'

export type Ports = {
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  /** Traces nothing unless a collector is set. */
  readonly tracer: Tracer
  readonly database: Database
  readonly keystore: Keystore
  /** Reports metrics. */
  readonly vault: Vault
  readonly mailer: Mailer
  readonly jobs: JobRunner
}

export const openVatRegistry = (
  { vies }: Config,
  clock: Clock,
): UserDependencies['vatRegistry'] & { readonly fresh: ObservedVatRegistry } => {
  const register =
    vies === 'off'
      ? createOfflineVatRegistry()
      : createViesRegistry({ clock, url: vies === 'on' ? undefined : vies })
  const fresh = observeVatRegistry(register, { clock })
  return { fresh, remembered: createCachedVatRegistry({ registry: fresh, clock }) }
}

export const openMailer = (config: Config, clock: Clock): Mailer => {
  const from = config.mailFrom
  return config.smtpUrl === undefined
    ? createEmlFolderMailer({ folder: resolve(config.dataDir, 'mails'), from, clock })
    : createSmtpMailer({ url: new Secret(config.smtpUrl), from, clock })
}

export const openCourier = (config: Config): Courier =>
  createUndiciCourier({ allow: webhookTargets(config).allow })
