import { hash } from 'node:crypto'
import { canonicalJson, type JsonValue } from '@millseal/proof'

/** SHA-256 of the canonical form (RFC 8785) in hex: the ledger knows a certificate by this hash. */
export const hashCertificate = (json: JsonValue): string => hashCanonical(canonicalJson(json))

/** In one call: an object of Node for each hash would live until V8 collects all memory. */
export const hashCanonical = (canonical: string): string => hash('sha256', canonical, 'hex')
