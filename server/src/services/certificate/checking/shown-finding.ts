import type { SelfCheckFinding } from '@millseal/contract'
import { inEnglish } from '@millseal/contract/reasons'
import type { selfCheck } from '@millseal/families'

/** A finding of the self-check as the API shows it. */
export const shownFinding = ({
  reason,
  heat,
  ...finding
}: ReturnType<typeof selfCheck>[number]): SelfCheckFinding => ({
  ...finding,
  ...(heat === undefined ? {} : { heat }),
  reason: inEnglish(reason),
  because: { ...reason },
})
