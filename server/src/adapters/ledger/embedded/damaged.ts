/** What is on disk, in the index or in the checkpoint contradicts the rest; nothing is appended until somebody has looked. */
export class LedgerDamaged extends Error {
  override readonly name = 'LedgerDamaged'
}
