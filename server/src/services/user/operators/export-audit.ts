import { limits, type operations } from '@millseal/contract'
import type { Call, Content } from '../../../http/binding.ts'
import { linkToNext } from '../../../http/page.ts'
import { csvLine } from '../../../lib/csv-line.ts'
import type { StoredAuditEntry } from '../../../ports/audit/audit.ts'
import type { UserDependencies } from '../dependencies.ts'
import { auditFilterOf } from './audit-filter.ts'

const batchSize = 1_000

/** Newest first, as text that programs read. */
export const exportAuditEntries = async (
  { audit, database: { query } }: UserDependencies,
  call: Call<typeof operations.exportAuditEntries>,
): Promise<Content> => {
  const filter = auditFilterOf(call.query)
  const { format } = call.query
  const lines = format === 'csv' ? [columns.join(',')] : []
  let after = call.query.after
  for (let count = 0; count < limits.auditExport; ) {
    const found = await audit.list(query, filter, { after, limit: batchSize })
    for (const entry of found) lines.push(lineOf[format](entry))
    count += found.length
    after = found.at(-1)?.id
    if (found.length < batchSize || after === undefined) break
    if (count >= limits.auditExport) call.header('link', linkToNext({ ...call.query, after }))
  }
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson'
  call.header('content-disposition', `attachment; filename="audit.${format}"`)
  return { type, bytes: lines.map((line) => `${line}\n`).join('') }
}

const columns = ['id', 'at', 'actor', 'action', 'subject', 'company', 'ipAddress', 'details'] as const

const valuesOf = ({ companyId, at, ...entry }: StoredAuditEntry) => ({
  ...entry,
  at: at.toISOString(),
  company: companyId,
})

const lineOf = {
  ndjson: (entry: StoredAuditEntry): string => {
    const values = valuesOf(entry)
    return JSON.stringify(Object.fromEntries(columns.map((name) => [name, values[name]])))
  },
  csv: (entry: StoredAuditEntry): string => {
    const values = { ...valuesOf(entry), details: JSON.stringify(entry.details) }
    return csvLine(columns.map((name) => values[name] ?? ''))
  },
}
