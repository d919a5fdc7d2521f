import { createHash } from 'node:crypto'
import { canonicalJson, type JsonValue } from '@millseal/proof'

/** SHA-256 of the canonical form (RFC 8785) in hex: the ledger knows a certificate by this hash. */
export const hashCertificate = (json: JsonValue): string => hashCanonical(canonicalJson(json))

export const hashCanonical = (canonical: string): string =>
  createHash('sha256').update(canonical, 'utf8').digest('hex')
