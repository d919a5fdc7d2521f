import type { ErrorCode } from '@millseal/contract'

/** The server already writes its errors in English, so there is nothing to replace. */
export const texts: Partial<Record<ErrorCode, string>> = {}
