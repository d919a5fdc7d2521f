/** Half of a SHA-256 in hex: nobody finds another certificate with the same half. */
const prefixLength = 32

/** What a QR code has instead of the hash of the JSON: its first 16 bytes, in 22 characters. */
export const codeOf = (hash: string): string =>
  Buffer.from(hash.slice(0, prefixLength), 'hex').toString('base64url')

/** The first 32 digits of the hash, in hex. */
export const hashPrefixOf = (code: string): string => Buffer.from(code, 'base64url').toString('hex')
