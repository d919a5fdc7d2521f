import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

/** Records which companies were told of notarized certificates, and the words by which they find them. */
export const insertReceivers = async (
  tx: Query,
  told: readonly { readonly certificateId: string; readonly companyId: string }[],
): Promise<void> => {
  if (told.length === 0) return
  await sql`
    with receivers as (
      insert into certificate_receivers (certificate_id, company_id, mode, identity_id, family, recorded_at, number, party)
      select c.id, r.id, c.mode, c.identity_id, c.family, c.recorded_at,
        sort_key(c.summary::json ->> 'identifier'), sort_key(c.summary::json ->> 'sellerName')
      from unnest(
        ${told.map(({ certificateId }) => certificateId)}::uuid[], ${told.map(({ companyId }) => companyId)}::uuid[]
      ) as told (certificate_id, company_id)
      join certificates c on c.id = told.certificate_id
      join companies r on r.id = told.company_id
      where c.recorded_at is not null
      returning certificate_id, company_id, mode
    )
    insert into received_texts (certificate_id, company_id, mode, words)
    select certificate_id, r.company_id, r.mode, t.words
    from receivers r join certificate_texts t using (certificate_id)`.execute(tx)
}

export const findReceiverIds = async (query: Query, certificateId: string): Promise<readonly string[]> => {
  const rows = await query
    .selectFrom('certificateReceivers')
    .select('companyId')
    .where('certificateId', '=', certificateId)
    .execute()
  return rows.map(({ companyId }) => companyId)
}

export const isReceiver = async (
  query: Query,
  { certificateId, companyId }: { readonly certificateId: string; readonly companyId: string },
): Promise<boolean> => {
  const row = await query
    .selectFrom('certificateReceivers')
    .select('companyId')
    .where('certificateId', '=', certificateId)
    .where('companyId', '=', companyId)
    .executeTakeFirst()
  return row !== undefined
}
