import { api } from '../../api/client.ts'
import type { AuditSearch } from './searches.ts'
import { pagesOf } from '../../ui/list/pages.ts'

const dayMs = 86_400_000

/** The beginning of a day in the time zone of the person. */
const beginOf = (day: string): Date => new Date(`${day}T00:00:00`)

const dayAfter = (day: string): Date => {
  const end = new Date(beginOf(day).getTime() + 1.5 * dayMs)
  end.setHours(0, 0, 0, 0)
  return end
}

export const auditQuery = ({ actor, action, except, subject, of, from, to }: AuditSearch) =>
  pagesOf(['operator', 'audit', actor, action, except, subject, of, from, to], ({ after, ...call }) =>
    api.listAuditEntries({
      query: {
        limit: 50,
        ...after,
        actor,
        action,
        exceptAction: except,
        subject,
        company: of,
        from: from && beginOf(from).toISOString(),
        to: to && dayAfter(to).toISOString(),
      },
      ...call,
    }),
  )
