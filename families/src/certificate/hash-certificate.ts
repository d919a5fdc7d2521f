import { createHash } from 'node:crypto'
import { canonicalJson, type JsonValue } from '@millseal/proof'

/** The name of a certificate on the ledger: SHA-256 over its canonical form (RFC 8785), in hex. */
export const hashCertificate = (json: JsonValue): string => hashCanonical(canonicalJson(json))

export const hashCanonical = (canonical: string): string =>
  createHash('sha256').update(canonical, 'utf8').digest('hex')
