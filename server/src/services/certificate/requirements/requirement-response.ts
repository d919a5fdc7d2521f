import type { KeptRequirement, ListedRequirement } from '@millseal/contract'
import { readRequirement } from '@millseal/families'
import type { ListedRow, StoredRequirement } from './requirements.store.ts'

export const toListedRequirement = (row: ListedRow): ListedRequirement => ({
  ...headOf(row),
  rules: row.rules,
})

export const toKeptRequirement = (row: StoredRequirement): KeptRequirement => ({
  ...headOf(row),
  requirement: { ...readRequirement(row.content) },
})

const headOf = ({ id, name, hash, inUse, createdAt }: Omit<StoredRequirement, 'content'>) => ({
  id,
  name,
  hash,
  inUse,
  createdAt: createdAt.toISOString(),
})
