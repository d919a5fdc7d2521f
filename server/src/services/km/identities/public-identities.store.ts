import type { Mode } from '@millseal/contract'
import type { Page } from '../../../http/page.ts'
import { type Query } from '../../../ports/database/database.ts'
import { whenGiven } from '../when-given.ts'

export type StoredPublicIdentity = Awaited<ReturnType<typeof findIdentitiesWithKeys>>[number]

/** With `ledgerId`, the id on the ledger of the transaction that published the identity. */
const published = (query: Query, mode: Mode) =>
  query
    .selectFrom('identities')
    .leftJoin('transactions', 'transactions.id', 'identities.publicationId')
    .selectAll('identities')
    .select('transactions.ledgerId')
    .where('identities.mode', '=', mode)
    .where('identities.notarizedAt', 'is not', null)
    .$narrowType<{ notarizedAt: Date }>()

/** Newest first. */
export const findPublicIdentityPage = (
  query: Query,
  { mode, companyId }: { readonly mode: Mode; readonly companyId?: string },
  { limit, after }: Page,
): Promise<StoredPublicIdentity[]> =>
  published(query, mode)
    .$call(whenGiven(companyId, (found, value) => found.where('identities.companyId', '=', value)))
    .$call(whenGiven(after, (found, value) => found.where('identities.id', '<', value)))
    .orderBy('identities.id', 'desc')
    .limit(limit)
    .execute()

export const findPublicIdentity = (
  query: Query,
  { mode, id }: { readonly mode: Mode; readonly id: string },
): Promise<StoredPublicIdentity | undefined> =>
  published(query, mode).where('identities.id', '=', id).executeTakeFirst()

export const findIdentitiesWithKeys = (query: Query, mode: Mode, publicKeys: readonly string[]) =>
  published(query, mode).where('identities.publicKey', 'in', publicKeys).execute()
