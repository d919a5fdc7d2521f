import { createHash } from 'node:crypto'
import type { HashResponse } from '@millseal/contract'

type Way = Partial<Pick<HashResponse, 'algorithm' | 'encoding'>>

export const hash = (
  source: string | Uint8Array,
  { algorithm = 'sha256', encoding = 'hex' }: Way = {},
): HashResponse => ({ algorithm, encoding, value: createHash(algorithm).update(source).digest(encoding) })

/** As notarizations and verifications show the hashes they know already. */
export const sha256Hex = (value: string): HashResponse => ({ algorithm: 'sha256', encoding: 'hex', value })
