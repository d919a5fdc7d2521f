/** Files, index and checkpoint contradict each other. Nothing is appended until an operator has repaired the log. */
export class LedgerDamaged extends Error {
  override readonly name = 'LedgerDamaged'
}
