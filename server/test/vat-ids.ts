import { checkVatId } from '../src/lib/vat/check-vat-id.ts'

let handedOut = 10_000_000

/** A new valid VAT id at every call. */
export const freshVatId = (): string => {
  for (;;) {
    handedOut += 1
    const vatId = `ATU${handedOut}`
    if (checkVatId(vatId).status === 'valid') return vatId
  }
}
