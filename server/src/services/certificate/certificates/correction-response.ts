import type { Correction } from '@millseal/contract'
import type { RecordedCorrection } from './corrections.store.ts'

export const toCorrectionResponse = ({
  action,
  madeBy,
  recordedAt,
  reason,
  transactionId,
  replacement,
}: RecordedCorrection): Correction => ({
  kind: action === 'withdraw' ? 'withdrawn' : 'replaced',
  by: madeBy,
  time: recordedAt.toISOString(),
  reason,
  transactionId,
  replacedBy: replacement ?? undefined,
})
