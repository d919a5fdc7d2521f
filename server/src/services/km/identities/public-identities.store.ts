import type { Mode } from '@millseal/contract'
import type { Page } from '../../../http/page.ts'
import type { Query } from '../../../ports/database/database.ts'
import { type IdentityRow, type StoredIdentity, toIdentity } from './identities.store.ts'

export type StoredPublicIdentity = StoredIdentity & {
  readonly notarizedAt: Date
  /** Its transaction on the ledger. */
  readonly ledgerId: string | undefined
}

type PublicTables = { identities: IdentityRow; transactions: { id: string; ledger_id: string } }

const published = (query: Query, mode: Mode) =>
  query
    .withTables<PublicTables>()
    .selectFrom('identities')
    .leftJoin('transactions', 'transactions.id', 'identities.publication_id')
    .selectAll('identities')
    .select('transactions.ledger_id')
    .where('identities.mode', '=', mode)
    .where('identities.notarized_at', 'is not', null)

/** Newest first. */
export const findPublicIdentityPage = async (
  query: Query,
  { mode, companyId }: { readonly mode: Mode; readonly companyId?: string },
  { limit, after }: Page,
): Promise<StoredPublicIdentity[]> => {
  const rows = await published(query, mode)
    .$if(companyId !== undefined, (some) => some.where('identities.company_id', '=', companyId ?? null))
    .$if(after !== undefined, (some) => some.where('identities.id', '<', after ?? null))
    .orderBy('identities.id', 'desc')
    .limit(limit)
    .execute()
  return rows.flatMap(toPublicIdentity)
}

export const findPublicIdentity = async (
  query: Query,
  { mode, id }: { readonly mode: Mode; readonly id: string },
): Promise<StoredPublicIdentity | undefined> => {
  const rows = await published(query, mode).where('identities.id', '=', id).execute()
  return rows.flatMap(toPublicIdentity)[0]
}

export const findIdentitiesWithKeys = async (
  query: Query,
  { mode, publicKeys }: { readonly mode: Mode; readonly publicKeys: readonly string[] },
): Promise<StoredPublicIdentity[]> => {
  const rows = await published(query, mode).where('identities.public_key', 'in', publicKeys).execute()
  return rows.flatMap(toPublicIdentity)
}

const toPublicIdentity = (row: IdentityRow & { ledger_id: string | null }): StoredPublicIdentity[] => {
  const { notarizedAt, ...identity } = toIdentity(row)
  return notarizedAt === undefined ? [] : [{ ...identity, notarizedAt, ledgerId: row.ledger_id ?? undefined }]
}
