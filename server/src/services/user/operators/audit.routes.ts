import { type AuditEntry, operations } from '@millseal/contract'
import { type Binding, bindTo, type Call } from '../../../http/binding.ts'
import { listPage, tellTotal } from '../../../http/page.ts'
import type { StoredAuditEntry } from '../../../ports/audit/audit.ts'
import { findUsers } from '../users/users.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { auditFilterOf } from './audit-filter.ts'
import { exportAuditEntries } from './export-audit.ts'

export const auditRoutes = (deps: UserDependencies): readonly Binding[] => [
  bindTo(deps)(operations.listAuditEntries, listAuditEntries),
  bindTo(deps)(operations.exportAuditEntries, exportAuditEntries),
]

const listAuditEntries = async (
  { audit, database: { query } }: UserDependencies,
  call: Call<typeof operations.listAuditEntries>,
): Promise<AuditEntry[]> => {
  const filter = auditFilterOf(call.query)
  const found = await listPage(
    call,
    (page) => audit.list(query, filter, page),
    ({ id }) => id,
  )
  await tellTotal(call, (atMost) => audit.count(query, filter, atMost))
  const ids = found.flatMap(({ actor }) => userIdOf(actor) ?? [])
  const users = ids.length === 0 ? [] : await findUsers(query, [...new Set(ids)])
  const names = new Map(users.map(({ id, username }) => [id, username]))
  return found.map((entry) => toResponse(entry, names))
}

const userIdOf = (actor: string): string | undefined => /^user:([\da-f-]{36})$/.exec(actor)?.[1]

const toResponse = (entry: StoredAuditEntry, names: ReadonlyMap<string, string>): AuditEntry => ({
  id: entry.id,
  at: entry.at.toISOString(),
  actor: entry.actor,
  actorName: names.get(userIdOf(entry.actor) ?? ''),
  action: entry.action,
  subject: entry.subject,
  company: entry.companyId,
  ipAddress: entry.ipAddress,
  details: { ...entry.details },
})
