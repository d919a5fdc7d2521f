import type { VatRegistry } from '../../ports/vat-registry/vat-registry.ts'

const retryAfterSeconds = 24 * 60 * 60

/** For installations without a way out: asks nobody, so nothing is known. */
export const createOfflineVatRegistry = (): VatRegistry => ({
  async lookUp(_vat, signal) {
    signal.throwIfAborted()
    return { status: 'unknown', reason: 'offline', retryAfterSeconds }
  },
})
