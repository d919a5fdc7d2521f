/** A secret as it lies in the database: useless without the master key, and without the context it was sealed for. */
export type Sealed = Uint8Array

/**
 * Seals secrets under a master key that never lies beside them.
 *
 * `context` names the place a secret belongs to (a table and its row). Opening with another context fails, so a sealed
 * value cannot be moved to another row. Both methods are free of side effects and may be repeated.
 */
export interface Keystore {
  seal(plain: Uint8Array, context: string): Sealed
  /** Throws `SealBroken` when the key, the context or the bytes are not the ones it was sealed with. */
  open(sealed: Sealed, context: string): Uint8Array
}

export class SealBroken extends Error {
  override readonly name = 'SealBroken'
}
