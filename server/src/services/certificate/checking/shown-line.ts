import type { CheckLine } from '@millseal/contract'
import { inEnglish } from '@millseal/contract/reasons'
import { type CheckLine as Line, withoutUndefined } from '@millseal/families'

/** As the API shows it. */
export const shownLine = ({ reason, ...line }: Line): CheckLine =>
  withoutUndefined({
    ...line,
    reason: reason && inEnglish(reason),
    because: reason && { ...reason },
  })
