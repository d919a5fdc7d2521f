import type { Application, CompanyReference } from '@millseal/contract'
import type { StoredApplication } from './applications.store.ts'

/** What everybody may see of an application; its secret is never part of it. */
export const toApplicationResponse = (
  application: StoredApplication,
  owner: CompanyReference,
): Application => ({
  id: application.id,
  createdAt: application.createdAt.toISOString(),
  updatedAt: application.updatedAt.toISOString(),
  name: application.name,
  description: application.description,
  clientId: application.clientId,
  mode: application.mode,
  scopes: application.scopes,
  owner,
})
