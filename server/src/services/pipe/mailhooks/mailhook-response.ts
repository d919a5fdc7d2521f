import type { CompanyReference, MailHook } from '@millseal/contract'
import type { StoredMailHook } from './mailhooks.store.ts'

export const toMailHookResponse = (hook: StoredMailHook, owner: CompanyReference): MailHook => ({
  id: hook.id,
  createdAt: hook.createdAt.toISOString(),
  updatedAt: hook.updatedAt.toISOString(),
  ...(hook.description === undefined ? {} : { description: hook.description }),
  status: hook.status,
  scopes: hook.scopes.map((scope) => ({ ...scope, actions: [...scope.actions] })),
  owner,
})
