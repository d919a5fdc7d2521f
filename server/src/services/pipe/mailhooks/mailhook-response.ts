import type { CompanyReference, MailHook } from '@millseal/contract'
import { parseScopes } from '../hooks/hook-scopes.ts'
import type { StoredMailHook } from './mailhooks.store.ts'

export const toMailHookResponse = (hook: StoredMailHook, owner: CompanyReference): MailHook => ({
  id: hook.id,
  createdAt: hook.createdAt.toISOString(),
  updatedAt: hook.updatedAt.toISOString(),
  description: hook.description ?? undefined,
  status: hook.status,
  scopes: parseScopes(hook),
  owner,
})
