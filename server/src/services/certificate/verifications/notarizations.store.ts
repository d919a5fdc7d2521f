import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

/**
 * Whether this service notarized what an entry records, which it may still be completing. The PDF decides until then, because
 * its hash is secret before it is recorded.
 */
export const wasNotarized = async (
  query: Query,
  {
    mode,
    transactionId,
    jsonHash = null,
    pdfHash = null,
  }: {
    readonly mode: Mode
    readonly transactionId: string
    readonly jsonHash: string | null | undefined
    readonly pdfHash: string | null | undefined
  },
): Promise<boolean> => {
  const { rows } = await sql`
    select from certificates
    where hash collate "C" = ${jsonHash} and mode = ${mode}
      and (transaction_id = ${transactionId} or (transaction_id is null and pdf_hash = ${pdfHash}))
    union all
    select from past_notarizations where mode = ${mode} and transaction_id = ${transactionId}
    union all
    select from samples where ${mode} = 'test' and transaction_id = ${transactionId}
    limit 1`.execute(query)
  return rows.length > 0
}
