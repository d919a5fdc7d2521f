import { type Mode, modes } from '@millseal/contract'
import { Gauge, type Registry } from 'prom-client'
import { createC2spWitness } from '../adapters/cosigner/c2sp-witness.ts'
import type { EmbeddedLedger, EmbeddedLedgerOptions } from '../adapters/ledger/embedded/embedded.ts'
import { LogForked } from '../adapters/ledger/embedded/ledger-damaged.ts'
import { readCosignerPolicy } from '../config/cosigner-policy.ts'
import type { Config } from '../config.ts'
import type { Dependency } from '../http/readiness.ts'

/** Those of `MILLSEAL_COSIGNERS`. */
export const openCosigners = (config: Config): EmbeddedLedgerOptions['cosigners'] => {
  const read = readCosignerPolicy(config)
  const timeoutMs = config.cosignersTimeoutMs
  return read && { ...read, cosigners: read.witnesses.map((one) => createC2spWitness({ ...one, timeoutMs })) }
}

/** What readiness and metrics say of them. A log records without them, so no role of the process needs them. */
export const observeCosigners = (
  embedded: (mode: Mode) => EmbeddedLedger,
  registry: Registry,
): readonly Dependency[] => {
  observeEach(embedded, registry)
  const quorum = new Gauge({
    name: 'millseal_quorum',
    help: '1 while a quorum of cosigners confirms the checkpoints of the log; absent without cosigners',
    labelNames: ['mode'],
    registers: [],
    async collect() {
      for (const mode of modes) {
        const checked = embedded(mode).confirmation?.check()
        if (checked !== undefined)
          this.set(
            { mode },
            await checked.then(
              () => 1,
              () => 0,
            ),
          )
      }
    },
  })
  registry.registerMetric(quorum)
  const forked = new Gauge({
    name: 'millseal_log_forked',
    help: '1 if a cosigner has entries that the log does not have: nothing is recorded any more; absent without cosigners',
    labelNames: ['mode'],
    registers: [],
    collect() {
      for (const mode of modes) {
        const { confirmation, obstacle } = embedded(mode)
        if (confirmation !== undefined) this.set({ mode }, obstacle instanceof LogForked ? 1 : 0)
      }
    },
  })
  registry.registerMetric(forked)
  return modes.flatMap((mode) => {
    const part = embedded(mode).confirmation
    return part === undefined ? [] : [{ name: `${mode} cosigners`, part, neededFor: {} }]
  })
}

const observeEach = (embedded: (mode: Mode) => EmbeddedLedger, registry: Registry): void => {
  const gauge = (
    name: string,
    help: string,
    read: (state: NonNullable<EmbeddedLedger['confirmation']>['states'][number]) => number | undefined,
  ): void =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: ['mode', 'cosigner'],
        registers: [],
        collect() {
          this.reset()
          for (const mode of modes)
            for (const state of embedded(mode).confirmation?.states ?? []) {
              const value = read(state)
              if (value !== undefined) this.set({ mode, cosigner: state.name }, value)
            }
        },
      }),
    )
  gauge(
    'millseal_cosigner_failing',
    '1 if the cosigner did not sign the last checkpoint that this process, the writer, offered it',
    ({ failure }) => (failure === undefined ? 0 : 1),
  )
  gauge(
    'millseal_cosigner_age_seconds',
    'Seconds since the cosigner last signed a checkpoint for this process',
    ({ signedSecondsAgo }) => signedSecondsAgo,
  )
  gauge('millseal_cosigner_seconds', 'How long its last signature took', ({ seconds }) => seconds)
}
