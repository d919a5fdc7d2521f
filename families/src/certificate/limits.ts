/** How large a certificate may be before anybody looks at what it says. */
export type CertificateLimits = {
  readonly maxBytes: number
  readonly maxDepth: number
  /** Values of any kind, in all. */
  readonly maxValues: number
  readonly maxKeysPerObject: number
  readonly maxKeyLength: number
}

export const certificateLimits: CertificateLimits = {
  // What an operator may allow; a server takes less unless told so.
  maxBytes: 10 * 1024 * 1024,
  maxDepth: 64,
  maxValues: 50_000,
  maxKeysPerObject: 1_000,
  maxKeyLength: 256,
}
