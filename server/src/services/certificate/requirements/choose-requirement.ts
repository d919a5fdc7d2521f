import type { InboxEntry } from '@millseal/contract'
import { applyRules, type Certificate } from '@millseal/families'
import type { Query } from '../../../ports/database/database.ts'
import { requireNamed } from './read-requirement.ts'
import { findRules } from './rules.store.ts'

/** What somebody chose, else what the order line names, else the rules of the company. */
export const chooseRequirement = async (
  query: Query,
  {
    companyId,
    against,
    named,
    certificate,
  }: {
    readonly companyId: string
    readonly against: string | undefined
    readonly named: string | undefined
    readonly certificate: Certificate
  },
): Promise<
  | { readonly requirement: Awaited<ReturnType<typeof requireNamed>>; readonly unchecked?: never }
  | { readonly requirement?: never; readonly unchecked: NonNullable<InboxEntry['unchecked']> }
> => {
  const chosen = against ?? named
  const names = chosen === undefined ? applyRules(await findRules(query, companyId), certificate) : [chosen]
  const [nameOrHash] = names
  if (nameOrHash === undefined) return { unchecked: 'noRequirement' }
  if (names.length > 1) return { unchecked: 'severalRequirements' }
  return { requirement: await requireNamed(query, { companyId, nameOrHash }) }
}
