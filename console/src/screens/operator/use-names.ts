import type { AuditEntry } from '@millseal/contract'
import { useQueries } from '@tanstack/react-query'
import { useTexts } from '../../texts/catalog.ts'
import { companyNameQuery, userNameQuery } from './queries.ts'

export type Names = {
  readonly action: (action: string) => string
  /** Names `user:<id>`, `application:<id>` and `command`. */
  readonly actor: (reference: string) => string
  /** The action says the kind of a subject that is only an id. */
  readonly subject: (entry: { readonly subject: string; readonly action: string }) => string
  readonly company: (id: string) => string
}

/** The part after the colon. */
const idOf = (reference: string): string => reference.slice(reference.indexOf(':') + 1)

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** The last part of an id, which differs most. */
const shortId = (id: string): string => (isUuid(id) ? `…${id.slice(-8)}` : id)

const idsOf = (references: readonly string[], kind: string): readonly string[] =>
  [...new Set(references.filter((one) => one.startsWith(`${kind}:`)).map(idOf))].filter(isUuid)

/** Names instead of ids, where they are known. */
export const useNames = (
  entries: readonly AuditEntry[],
  filters: { readonly references: readonly string[]; readonly company: string | undefined },
): Names => {
  const t = useTexts('audit')
  const known = new Map(
    entries.flatMap(({ actor, actorName }) => (actorName === undefined ? [] : [[actor, actorName] as const])),
  )
  const references = [...entries.flatMap(({ actor, subject }) => [actor, subject]), ...filters.references]
  const users = idsOf(references, 'user').filter((id) => !known.has(`user:${id}`))
  const companies = [
    ...new Set([
      ...idsOf(references, 'company'),
      ...entries.flatMap(({ company }) => company ?? []),
      ...(filters.company === undefined ? [] : [filters.company]),
    ]),
  ].filter(isUuid)
  const userNames = useQueries({ queries: users.map(userNameQuery) })
  const companyNames = useQueries({ queries: companies.map(companyNameQuery) })
  for (const [at, id] of users.entries()) known.set(`user:${id}`, userNames[at]?.data ?? shortId(id))
  for (const [at, id] of companies.entries())
    known.set(`company:${id}`, companyNames[at]?.data ?? shortId(id))
  const named = (reference: string): string => {
    const kind = reference.split(':', 1)[0] ?? ''
    return known.get(reference) ?? `${t.kinds[kind] ?? kind} ${shortId(idOf(reference))}`
  }
  return {
    action: (action) => t.actions[action] ?? action,
    company: (id) => known.get(`company:${id}`) ?? shortId(id),
    actor: (reference) => t.actors[reference] ?? named(reference),
    subject: ({ subject, action }) =>
      isUuid(subject) ? named(`${action.split('s.', 1)[0] ?? ''}:${subject}`) : named(subject),
  }
}
