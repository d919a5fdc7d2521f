import type { CosignerKey } from '@millseal/proof'

/** Files, index and checkpoint contradict each other. Nothing is appended until an operator has repaired the log. */
export class LedgerDamaged extends Error {
  override readonly name: string = 'LedgerDamaged'
}

/** A cosigner has entries that this log does not have. */
export class LogForked extends LedgerDamaged {
  override readonly name = 'LogForked'
  readonly cosigner: CosignerKey

  constructor(why: string, cosigner: CosignerKey) {
    super(why)
    this.cosigner = cosigner
  }
}
