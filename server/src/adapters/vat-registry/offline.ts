import type { VatRegistry } from '../../ports/vat-registry/vat-registry.ts'

const retryAfterSeconds = 24 * 60 * 60

/** For installations without Internet access: every answer is `unknown`. */
export const createOfflineVatRegistry = (): VatRegistry => ({
  async lookUp(_vat, signal) {
    signal.throwIfAborted()
    return { status: 'unknown', reason: 'offline', retryAfterSeconds }
  },
})
