import type { JsonValue } from '@millseal/proof'
import { at } from '../../certificate/shown.ts'

/** Order and delivery of a certificate; its first drafts call them references. */
export const transactionOf = (certificate: JsonValue | undefined): JsonValue | undefined =>
  at(certificate, 'BusinessTransaction') ?? at(certificate, 'BusinessReferences')
