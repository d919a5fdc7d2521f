/** A secret as it lies in the database: useless without the master key, and without the context it was sealed for. */
export type Sealed = Uint8Array

/**
 * Seals secrets under a master key that never lies beside them.
 *
 * `context` names the place a secret belongs to: `<table>/<id of its row>`. Opening with another context fails, so a
 * sealed value cannot be moved to another row. A sealed value carries the id of its key: during a rotation several keys
 * open and one seals. All methods are free of side effects and may be repeated.
 */
export interface Keystore {
  seal(plain: Uint8Array, context: string): Sealed
  /** Throws `SealBroken` when the key, the context or the bytes are not the ones it was sealed with. */
  open(sealed: Sealed, context: string): Uint8Array
  /** Whether it lies under the key that seals now; false too for what is no sealed value. */
  isCurrent(sealed: Sealed): boolean
}

export class SealBroken extends Error {
  override readonly name = 'SealBroken'
}

/** Where sealed values lie, for a rotation to find them. Their context is `<table>/<id>`, or `<table>/<id>/<part>`. */
export type SealedPlace = {
  readonly table: string
  /** The column with the id of the row; bytes stand in the context as hex. */
  readonly id: string
  readonly column: string
  readonly part?: string
}
