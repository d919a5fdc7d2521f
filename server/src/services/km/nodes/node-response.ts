import type { LedgerNode } from '@millseal/contract'
import type { StoredNode } from './nodes.store.ts'

export const toNodeResponse = ({ createdAt, updatedAt, ...node }: StoredNode): LedgerNode => ({
  ...node,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
