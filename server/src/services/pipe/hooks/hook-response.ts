import type { CompanyReference, Hook } from '@millseal/contract'
import type { StoredHook } from './hooks.store.ts'

/** What everybody of the company may see: neither the secret nor the values of headers. */
export const toHookResponse = (hook: StoredHook, owner: CompanyReference): Hook => ({
  id: hook.id,
  createdAt: hook.createdAt.toISOString(),
  updatedAt: hook.updatedAt.toISOString(),
  ...(hook.name === undefined ? {} : { name: hook.name }),
  ...(hook.description === undefined ? {} : { description: hook.description }),
  connectionUrl: hook.connectionUrl,
  contentType: hook.contentType,
  status: hook.status,
  enableSSL: hook.enableSSL,
  ordered: hook.ordered,
  mode: hook.mode,
  headers: hook.headerNames.map((name) => ({ name })),
  scopes: hook.scopes.map((scope) => ({ ...scope, actions: [...scope.actions] })),
  owner,
})
