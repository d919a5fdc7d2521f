import { createHash } from 'node:crypto'
import { canonicalJson, type JsonValue } from '@millseal/proof'
import type { StoredReview } from './reviews.store.ts'

/** As a review on the log names it: hex SHA-256 of the canonical JSON. */
export const evidenceHashOf = ({ evidence }: StoredReview): string =>
  createHash('sha256')
    .update(canonicalJson(JSON.parse(evidence) as JsonValue))
    .digest('hex')
