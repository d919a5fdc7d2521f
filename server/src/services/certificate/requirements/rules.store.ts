import type { RequirementChoice } from '@millseal/contract'
import type { Query } from '../../../ports/database/database.ts'

export const findRules = async (query: Query, companyId: string): Promise<readonly RequirementChoice[]> => {
  const found = await query
    .selectFrom('requirementRules')
    .select('rules')
    .where('companyId', '=', companyId)
    .executeTakeFirst()
  return JSON.parse(found?.rules ?? '[]') as readonly RequirementChoice[]
}

export const saveRules = async (
  tx: Query,
  {
    companyId,
    rules,
    changedAt,
  }: { readonly companyId: string; readonly rules: string; readonly changedAt: Date },
): Promise<void> => {
  await tx
    .insertInto('requirementRules')
    .values({ companyId, rules, changedAt })
    .onConflict((conflict) => conflict.column('companyId').doUpdateSet({ rules, changedAt }))
    .execute()
}
