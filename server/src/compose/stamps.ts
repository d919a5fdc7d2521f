import { type Mode, modes } from '@millseal/contract'
import { Gauge, type Registry } from 'prom-client'
import type { EmbeddedLedger, EmbeddedLedgerOptions } from '../adapters/ledger/embedded/embedded.ts'
import type { StampState } from '../adapters/ledger/embedded/stamping.ts'
import { createRfc3161Http } from '../adapters/stamp-authority/rfc3161-http.ts'
import { readStampAuthorities } from '../config/stamp-authorities.ts'
import type { Config } from '../config.ts'
import type { Dependency } from '../http/readiness.ts'

const timeoutMs = 10_000

/** Those of `MILLSEAL_STAMPS`. */
export const openStamps = (config: Config): EmbeddedLedgerOptions['stamps'] => {
  const authorities = readStampAuthorities(config).map((one) => createRfc3161Http({ ...one, timeoutMs }))
  return authorities.length === 0 ? undefined : { authorities, everyMs: config.stampsEverySeconds * 1_000 }
}

/** What readiness and metrics say of them. A log records without them, so no role of the process needs them. */
export const observeStamps = (
  embedded: (mode: Mode) => EmbeddedLedger,
  registry: Registry,
): readonly Dependency[] => {
  for (const { name, help, read } of gauges)
    registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: ['mode', 'authority'],
        registers: [],
        collect() {
          this.reset()
          for (const mode of modes)
            for (const state of embedded(mode).stamping?.states ?? []) {
              const value = read(state)
              if (value !== undefined) this.set({ mode, authority: state.name }, value)
            }
        },
      }),
    )
  return modes.flatMap((mode) => {
    const stamping = embedded(mode).stamping
    if (stamping === undefined) return []
    const check = async (): Promise<void> => {
      const failing = stamping.states.flatMap(({ name, failure }) =>
        failure === undefined ? [] : [`${name}: ${failure}`],
      )
      if (failing.length > 0) throw new Error(`no time stamps of ${failing.join('; ')}`)
    }
    return [{ name: `${mode} time stamps`, part: { check }, neededFor: {} }]
  })
}

const gauges: readonly {
  readonly name: string
  readonly help: string
  readonly read: (state: StampState) => number | undefined
}[] = [
  {
    name: 'millseal_stamp_failing',
    help: '1 if the authority did not stamp the checkpoint of the last round that this process, the writer, began',
    read: ({ failure }) => (failure === undefined ? 0 : 1),
  },
  {
    name: 'millseal_stamp_age_seconds',
    help: 'Seconds since the authority last stamped a checkpoint for this process',
    read: ({ stampedSecondsAgo }) => stampedSecondsAgo,
  },
]
