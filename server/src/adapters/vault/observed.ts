import { Gauge, Histogram, type Registry } from 'prom-client'
import { modes } from '@millseal/contract'
import type { Vault } from '../../ports/vault/vault.ts'
import { deadlineSignal } from '../../lib/deadline.ts'

const checkDeadlineMs = 1_000

/** Adds metrics: the duration of key operations, and at every scrape whether the vault is available. */
export const observeVault = (vault: Vault, registry: Registry): Vault => {
  const seconds = new Histogram({
    name: 'millseal_signer_seconds',
    help: 'Time to derive a key or to sign with it, by mode',
    labelNames: ['mode', 'operation', 'outcome'],
    buckets: [0.0001, 0.0002, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5],
    registers: [registry],
  })
  const up: Gauge<'mode'> = new Gauge({
    name: 'millseal_vault_up',
    help: 'Whether the roots of wallets can be opened (1) or not (0), by mode',
    labelNames: ['mode'],
    registers: [registry],
    async collect() {
      for (const mode of modes) {
        const works = await vault.check(mode, deadlineSignal(checkDeadlineMs)).then(
          () => 1,
          () => 0,
        )
        up.set({ mode }, works)
      }
    },
  })
  const timed = async <T>(
    labels: { mode: string; operation: string },
    work: () => Promise<T>,
  ): Promise<T> => {
    const startedMs = performance.now()
    let outcome = 'failed'
    try {
      const result = await work()
      outcome = 'done'
      return result
    } finally {
      seconds.observe({ ...labels, outcome }, (performance.now() - startedMs) / 1_000)
    }
  }
  return {
    ...vault,
    derive: (root, path) => timed({ mode: root.mode, operation: 'derive' }, () => vault.derive(root, path)),
    sign: (root, path, message) =>
      timed({ mode: root.mode, operation: 'sign' }, () => vault.sign(root, path, message)),
  }
}
