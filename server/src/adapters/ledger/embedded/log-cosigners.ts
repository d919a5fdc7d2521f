import type { Mode } from '@millseal/contract'
import type { TlogPolicy } from '@millseal/proof'
import type { Logger } from 'pino'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Cosigner } from '../../../ports/cosigner/cosigner.ts'
import type { RecordedConfirmations } from './confirmations.ts'

export type LogCosigners = {
  readonly policy: TlogPolicy
  /** Those of the policy. */
  readonly cosigners: readonly Cosigner[]
}

export type CosigningOptions = LogCosigners & {
  readonly mode: Mode
  readonly clock: Clock
  readonly log: Logger
  readonly confirmations: RecordedConfirmations
}
