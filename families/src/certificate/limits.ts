/** Limits that are checked before the content of a certificate is. */
export type CertificateLimits = {
  readonly maxBytes: number
  readonly maxDepth: number
  /** Objects, arrays, texts, numbers, booleans and nulls together. */
  readonly maxValues: number
  readonly maxKeysPerObject: number
  readonly maxKeyLength: number
}

export const certificateLimits: CertificateLimits = {
  // The most that an operator can configure; the default of the server is lower.
  maxBytes: 10 * 1024 * 1024,
  maxDepth: 64,
  maxValues: 50_000,
  maxKeysPerObject: 1_000,
  maxKeyLength: 256,
}
