import type { InboxEntry } from '@millseal/contract'
import type { Query } from '../../../ports/database/database.ts'
import { requireNamed } from './read-requirement.ts'

/** What somebody chose, else what the order line names. */
export const chooseRequirement = async (
  query: Query,
  {
    companyId,
    against,
    named,
  }: {
    readonly companyId: string
    readonly against: string | undefined
    readonly named: string | undefined
  },
): Promise<
  | { readonly requirement: Awaited<ReturnType<typeof requireNamed>>; readonly unchecked?: never }
  | { readonly requirement?: never; readonly unchecked: NonNullable<InboxEntry['unchecked']> }
> => {
  const nameOrHash = against ?? named
  if (nameOrHash === undefined) return { unchecked: 'noRequirement' }
  return { requirement: await requireNamed(query, { companyId, nameOrHash }) }
}
