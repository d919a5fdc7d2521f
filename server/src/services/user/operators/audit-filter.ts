import type { operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { AuditFilter } from '../../../ports/audit/audit.ts'

export const auditFilterOf = (query: Call<typeof operations.listAuditEntries>['query']): AuditFilter => ({
  actor: query.actor,
  action: query.action,
  exceptAction: query.exceptAction,
  subject: query.subject,
  companyId: query.company,
  from: timeOf(query, 'from'),
  to: timeOf(query, 'to'),
})

/** The format allows a leap second, which has no time here. */
const timeOf = (
  query: { readonly from?: string; readonly to?: string },
  field: 'from' | 'to',
): Date | undefined => {
  const text = query[field]
  if (text === undefined) return undefined
  const time = new Date(text)
  if (Number.isNaN(time.getTime()))
    throw new Problem('validation_failed', {
      reasons: [because('must_be_time', { place: `query/${field}` })],
    })
  return time
}
