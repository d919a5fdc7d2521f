import { type Reading, readPolicy, type TrustPolicy } from '@millseal/proof/verifier'
import { smallPrimitives as primitives } from '@millseal/proof/small'

/** True if a policy was saved in the page, which then decides alone. */
export const hasOwnPolicy = (element: Element): boolean => element.hasAttribute('policy')

/** The policy that was saved in the page, or these keys and those of the logs when the page was loaded. */
export const ownTrustOf = (element: Element, keys: readonly string[]): TrustPolicy => {
  const saved = element.getAttribute('policy')
  const logs = [...keys, ...(element.getAttribute('keys') ?? '').split(' ').filter(Boolean)]
  return readPolicy(saved === null ? { logs } : JSON.parse(saved), primitives)
}

/** The only clock of the page. An attribute that is no number counts as 0, which makes every status old. */
export const readingOf = (element: Element): Reading => {
  const days = element.getAttribute('max-status-age')
  return { now: new Date(), maxStatusAgeDays: days === null ? undefined : Number(days) || 0 }
}
