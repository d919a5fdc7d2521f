import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

/**
 * What this service notarized as an entry records it, which it may still be completing. The PDF decides until then, because
 * its hash is secret before it is recorded. Undefined if it has no record of it.
 */
export const findNotarized = async (
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
): Promise<{ readonly seal: string | null } | undefined> => {
  const { rows } = await sql<{ seal: string | null }>`
    select seal from certificates
    where hash collate "C" = ${jsonHash} and mode = ${mode}
      and (transaction_id = ${transactionId} or (transaction_id is null and pdf_hash = ${pdfHash}))
    union all
    select null from past_notarizations where mode = ${mode} and transaction_id = ${transactionId}
    union all
    select null from samples where ${mode} = 'test' and transaction_id = ${transactionId}
    limit 1`.execute(query)
  return rows[0]
}
