import type { Insertable } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'
import type { CertificateLinks } from '../../../ports/database/tables.ts'

export const insertFilesLink = async (query: Query, link: Insertable<CertificateLinks>): Promise<void> => {
  await query.insertInto('certificateLinks').values(link).execute()
}

/** The certificate whose files this link opens. */
export const findLinkedCertificate = async (query: Query, tokenHash: Buffer): Promise<string | undefined> => {
  const row = await query
    .selectFrom('certificateLinks')
    .select('certificateId')
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst()
  return row?.certificateId
}
