/** An encrypted secret, as stored in the database. Useless without the master key and without its context. */
export type Encrypted = Uint8Array

/**
 * Encrypts secrets with a master key that is never stored beside them.
 *
 * `context` names the place of a secret: `<table>/<id of its row>`. Decryption with another context fails, so an encrypted
 * value cannot be moved to another row. An encrypted value contains the id of its key: during a rotation several keys can
 * decrypt, and one encrypts. No method has side effects, so all can be repeated.
 */
export interface Keystore {
  encrypt(plain: Uint8Array, context: string): Encrypted
  /** Throws `DecryptionFailed` if the key or the context differs from the encryption, or the bytes were changed. */
  decrypt(encrypted: Encrypted, context: string): Uint8Array
  /** Whether it is encrypted with the current key. Also false for anything that is not an encrypted value. */
  isCurrent(encrypted: Encrypted): boolean
}

export class DecryptionFailed extends Error {
  override readonly name = 'DecryptionFailed'
}

/** A column with encrypted values, for a rotation to find them. Their context is `<table>/<id>` or `<table>/<id>/<part>`. */
export type EncryptedColumn = {
  readonly table: string
  readonly name: string
  /** The column with the id of the row. Bytes are written as hex in the context. */
  readonly id: string
  readonly part?: string
}
