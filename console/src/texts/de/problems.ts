import type { ErrorCode } from '@millseal/contract'
import { germanErrors } from '@millseal/contract/errors-de'

/** Shared with the pages of the server, so that both say the same. */
export const texts: Readonly<Record<ErrorCode, string>> = germanErrors
