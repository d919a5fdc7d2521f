import type { Mode } from '@millseal/contract'
import { Gauge, Histogram, type Registry } from 'prom-client'
import type { Ledger, Submission } from '../../../ports/ledger/ledger.ts'

export type LedgerMetrics = {
  /** Measures how long an append takes, and the size of the log after it. */
  measure(
    labels: { readonly mode: Mode; readonly kind: Ledger['kind'] },
    append: () => Promise<Submission>,
  ): Promise<Submission>
}

export const createLedgerMetrics = (registry: Registry): LedgerMetrics => {
  const latency = new Histogram({
    name: 'millseal_ledger_append_seconds',
    help: 'Time until the ledger has stored a transaction, by outcome',
    labelNames: ['mode', 'kind', 'outcome'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const size = new Gauge({
    name: 'millseal_ledger_entries',
    help: 'Number of log entries after the last transaction that this process sent',
    labelNames: ['mode'],
    registers: [registry],
  })
  const largest = new Map<Mode, number>()
  const updateSize = (mode: Mode, index: number | undefined) => {
    if (index === undefined || index < (largest.get(mode) ?? 0)) return
    largest.set(mode, index)
    size.set({ mode }, index + 1)
  }
  return {
    async measure({ mode, kind }, append) {
      const stop = latency.startTimer({ mode, kind })
      try {
        const submission = await append()
        stop({ outcome: submission.isNew ? 'new' : 'known' })
        updateSize(mode, submission.entry.index)
        return submission
      } catch (error) {
        stop({ outcome: 'failed' })
        throw error
      }
    },
  }
}
