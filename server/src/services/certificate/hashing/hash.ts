import { createHash } from 'node:crypto'
import type { HashResponse } from '@millseal/contract'

export const hash = (
  source: string | Uint8Array,
  { algorithm = 'sha256', encoding = 'hex' }: Partial<Pick<HashResponse, 'algorithm' | 'encoding'>> = {},
): HashResponse => ({ algorithm, encoding, value: createHash(algorithm).update(source).digest(encoding) })

/** A stored SHA-256 in the form in which the API shows hashes. */
export const sha256Hex = (value: string): HashResponse => ({ algorithm: 'sha256', encoding: 'hex', value })
