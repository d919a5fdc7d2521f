import type { Application, CompanyReference } from '@millseal/contract'
import { type Field, readFields } from './application-fields.ts'
import type { StoredApplication } from './applications.store.ts'

/** The application without its secret. */
export const toApplicationResponse = (
  application: StoredApplication,
  owner: CompanyReference,
): Application => {
  const fixed: { readonly [F in Exclude<keyof Application, Field>]: Application[F] } = {
    id: application.id,
    createdAt: application.createdAt.toISOString(),
    updatedAt: application.updatedAt.toISOString(),
    clientId: application.clientId,
    mode: application.mode,
    owner,
    lastUsedAt: application.lastUsedAt?.toISOString(),
  }
  return { ...fixed, ...readFields(application) }
}
