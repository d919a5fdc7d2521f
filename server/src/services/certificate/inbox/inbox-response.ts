import type { InboxDecisionEntry, InboxEntry, ReadInboxEntry } from '@millseal/contract'
import { limits } from '@millseal/contract'
import { callerOf } from '../certificates/caller.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { findHistory } from './decisions.store.ts'
import type { Check, Ordered } from './answers.ts'
import { findAnswers, type ListedEntry, type StoredDecision } from './inbox.store.ts'

type Verdict = NonNullable<InboxEntry['verdict']>

export const checkOf = (json: string | null): Check | undefined =>
  json === null ? undefined : (JSON.parse(json) as Check)

export const orderedOf = (json: string | null): Ordered | undefined =>
  json === null ? undefined : (JSON.parse(json) as Ordered)

export const toInboxEntries = (
  deps: CertificateDependencies,
  entries: readonly ListedEntry[],
): Promise<InboxEntry[]> => Promise.all(entries.map((entry) => toInboxEntry(deps, entry)))

const toInboxEntry = async (deps: CertificateDependencies, entry: ListedEntry): Promise<InboxEntry> => ({
  id: entry.id,
  mode: entry.mode,
  source: entry.source,
  certificate: entry.certificateId ?? undefined,
  fileName: entry.fileName ?? undefined,
  files: [...(entry.hasJson ? ['json' as const] : []), ...(entry.hasPdf ? ['pdf' as const] : [])],
  createdAt: entry.createdAt.toISOString(),
  hash: entry.hash ?? undefined,
  summary: JSON.parse(entry.summary) as InboxEntry['summary'],
  state: entry.state,
  advice: entry.advice ?? undefined,
  verdict: (entry.verdict as Verdict | null) ?? undefined,
  askedAt: entry.askedAt?.toISOString(),
  issuer: entry.issuer ?? undefined,
  against: entry.against ?? undefined,
  check: checkOf(entry.checked),
  order: orderedOf(entry.ordered),
  changed: entry.changed === null ? undefined : (JSON.parse(entry.changed) as InboxEntry['changed']),
  unchecked: (entry.unchecked as InboxEntry['unchecked'] | null) ?? undefined,
  findings: entry.findings,
  decision: await decisionIn(deps, entry),
  alarm:
    entry.alarm === null || entry.alarmedAt === null
      ? undefined
      : { verdict: entry.alarm as Verdict, at: entry.alarmedAt.toISOString() },
})

const decisionIn = async (
  deps: CertificateDependencies,
  entry: ListedEntry,
): Promise<InboxDecisionEntry | undefined> => {
  const { decision, decidedAt, companyId } = entry
  if (decision === null || decidedAt === null) return undefined
  const shown = await toDecision(deps, companyId, {
    decision,
    decidedAt,
    decidedBy: entry.decidedBy,
    reason: entry.reason,
    verdict: entry.decidedVerdict,
    checked: entry.decidedChecked,
    ordered: entry.decidedOrdered,
  })
  return { ...shown, undoUntil: undoUntil(decidedAt).toISOString() }
}

export const undoUntil = (decidedAt: Date): Date =>
  new Date(decidedAt.getTime() + limits.inbox.undoSeconds * 1_000)

const toDecision = async (
  deps: CertificateDependencies,
  companyId: string,
  decided: Omit<StoredDecision, 'id' | 'inboxId' | 'decidedBy'> & {
    readonly decidedBy: string | null
  },
): Promise<InboxDecisionEntry> => {
  const check = checkOf(decided.checked)
  return {
    decision: decided.decision,
    at: decided.decidedAt.toISOString(),
    by: await callerOf(deps, { by: decided.decidedBy, companyId }),
    reason: decided.reason ?? undefined,
    verdict: (decided.verdict as Verdict | null) ?? undefined,
    check: check?.verdict,
    requirement: check?.requirement,
    order: orderedOf(decided.ordered),
  }
}

export const toReadEntry = async (
  deps: CertificateDependencies,
  entry: ListedEntry,
): Promise<ReadInboxEntry> => {
  const { query } = deps.database
  const [shown, answers, history] = await Promise.all([
    toInboxEntry(deps, entry),
    findAnswers(query, entry.id),
    findHistory(query, entry.id),
  ])
  return {
    ...shown,
    verification: answers && (JSON.parse(answers.verification) as ReadInboxEntry['verification']),
    lines: JSON.parse(answers?.lines ?? '[]') as ReadInboxEntry['lines'],
    selfCheck: JSON.parse(answers?.findings ?? '[]') as ReadInboxEntry['selfCheck'],
    history: await Promise.all(history.map((one) => toDecision(deps, entry.companyId, one))),
  }
}
