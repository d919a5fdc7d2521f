import type { KeptRequirement, ListedRequirement } from '@millseal/contract'
import { readRequirement } from '@millseal/families'
import type { StoredRequirement } from './requirements.store.ts'

export const toListedRequirement = (row: StoredRequirement): ListedRequirement => ({
  id: row.id,
  name: row.name,
  hash: row.hash,
  inUse: row.inUse,
  createdAt: row.createdAt.toISOString(),
  rules: readRequirement(row.content).rules.length,
})

export const toKeptRequirement = (row: StoredRequirement): KeptRequirement => ({
  id: row.id,
  name: row.name,
  hash: row.hash,
  inUse: row.inUse,
  createdAt: row.createdAt.toISOString(),
  requirement: { ...readRequirement(row.content) },
})
