import type { KeyObject } from 'node:crypto'
import { Counter, Gauge } from 'prom-client'
import { personName } from '@millseal/proof'
import { createSeals, type SealPlan } from '../adapters/seals/pades.ts'
import { keyInFile, keyInToken, type SealKey } from '../adapters/seals/seal-key.ts'
import { createStampSoon } from '../adapters/seals/stamp-soon.ts'
import { createRfc3161Http } from '../adapters/stamp-authority/rfc3161-http.ts'
import type { Pkcs11Vault } from '../adapters/vault/pkcs11/pkcs11.ts'
import { type ConfiguredSeal, readSealKeys } from '../config/seal-keys.ts'
import { readStampAuthorities } from '../config/stamp-authorities.ts'
import { type Config, ConfigError } from '../config.ts'
import type { Dependency } from '../http/readiness.ts'
import type { Seals } from '../ports/seals/seals.ts'
import type { Ports } from './ports.ts'

export type OpenedSeals = {
  readonly seals: Seals
  /** Certificates are notarized without a seal only if none is configured, so a lack of it stops those of its company alone. */
  readonly dependencies: readonly Dependency[]
}

/** An operator needs weeks to get a new certificate. */
const warnBeforeMs = 30 * 86_400_000

export const openSeals = (config: Config, ports: Ports, token: Pkcs11Vault | undefined): OpenedSeals => {
  const configured = readSealKeys(config)
  const plans = configured.map((one): SealPlan => ({ ...one, key: keyOf(one, token) }))
  const authorities = readStampAuthorities(config).map((one) =>
    createRfc3161Http({ ...one, timeoutMs: config.sealWaitMs }),
  )
  const { clock, log, metrics } = ports
  const sealed = new Counter({
    name: 'millseal_seals_total',
    help: 'PDFs that this process sealed, by level: B-T with a time stamp, B-B without',
    labelNames: ['level'],
    registers: [metrics.registry],
  })
  const stampSoon = createStampSoon(authorities, {
    clock,
    onLack: (why) => log.warn({ why }, 'a PDF is sealed without a time stamp'),
  })
  const seals = createSeals(plans, {
    clock,
    stampSoon,
    stampBytes: authorities.length === 0 ? 0 : config.sealStampBytes,
    onSealed: (level) => sealed.inc({ level }),
  })
  observeExpiry(configured, ports)
  const check = async (): Promise<void> => {
    const due = configured.filter((one) => expiryOf(one) < clock.now() + warnBeforeMs)
    if (due.length > 0) throw new Error(due.map(expiryWords).join('; '))
  }
  return {
    seals,
    dependencies: configured.length === 0 ? [] : [{ name: 'seals', part: { check }, neededFor: {} }],
  }
}

const keyOf = ({ key, kind }: ConfiguredSeal, token: Pkcs11Vault | undefined): SealKey => {
  if (!('label' in key)) return keyInFile(key satisfies KeyObject)
  if (token === undefined) throw new ConfigError('MILLSEAL_SEALS: pkcs11: needs MILLSEAL_PKCS11_MODULE')
  return keyInToken(token, { label: key.label, kind })
}

const expiryOf = ({ certificates }: ConfiguredSeal): number =>
  Math.min(...certificates.map(({ notAfterMs }) => notAfterMs))

const expiryWords = (one: ConfiguredSeal): string =>
  `the certificate of ${personName(one.certificates[0].subject)} expires on ${new Date(expiryOf(one)).toISOString().slice(0, 10)}`

const observeExpiry = (configured: readonly ConfiguredSeal[], { clock, metrics }: Ports): void => {
  const gauge = new Gauge({
    name: 'millseal_seal_expires_seconds',
    help: 'Seconds until the certificate of a seal, or of an issuer above it, expires',
    labelNames: ['company', 'mode'],
    registers: [metrics.registry],
    collect: () => {
      for (const one of configured)
        gauge.set({ company: one.companyId, mode: one.mode }, (expiryOf(one) - clock.now()) / 1_000)
    },
  })
}
