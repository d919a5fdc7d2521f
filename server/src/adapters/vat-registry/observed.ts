import type { Clock } from '../../ports/clock/clock.ts'
import type { UnknownReason, VatRegistry } from '../../ports/vat-registry/vat-registry.ts'

/** What the last request showed; undefined before the first one. */
export type LastAnswer = { readonly at: Date; readonly failure: UnknownReason | undefined }

export type ObservedVatRegistry = VatRegistry & { readonly last: LastAnswer | undefined }

/** Remembers whether the register answered when it was last asked. */
export const observeVatRegistry = (
  registry: VatRegistry,
  { clock }: { readonly clock: Clock },
): ObservedVatRegistry => {
  let last: LastAnswer | undefined
  return {
    get last() {
      return last
    },
    async lookUp(vat, signal) {
      const answer = await registry.lookUp(vat, signal)
      const failure = answer.status === 'unknown' ? answer.reason : undefined
      // For these nobody was asked.
      if (failure !== 'not_covered' && failure !== 'offline') last = { at: new Date(clock.now()), failure }
      return answer
    },
  }
}
