import { type InboxDecision, type InboxEntry, type operations, type ReadInboxEntry } from '@millseal/contract'
import { because, type Reason } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { requirementsChanged } from '../certificates/inbox-jobs.ts'
import { requireNamed } from '../requirements/read-requirement.ts'
import { saveEntry } from './answers.store.ts'
import { findDecision, insertDecisions } from './decisions.store.ts'
import { checkOf, orderedOf, toInboxEntries, toReadEntry, undoUntil } from './inbox-response.ts'
import { findListedEntries, type InboxScope, lockEntries, type StoredEntry } from './inbox.store.ts'
import { answerEntry } from './keep-answers.ts'
import { findExceeding } from './exceeding.ts'
import { requireEntry, scopeOf } from './read-inbox.ts'
import { tellDecision } from './tell-decision.ts'

type DecideCall = Call<typeof operations.decideInbox>
type UndoCall = Call<typeof operations.undoInboxDecision>
type CheckCall = Call<typeof operations.checkInbox>
type DeskCall = DecideCall | UndoCall | CheckCall

/** What is accepted was asked about in the last minute, or is asked about first. */
const freshMs = 60_000

export const decideInbox = async (deps: CertificateDependencies, call: DecideCall): Promise<InboxEntry[]> => {
  const { decision, reason } = call.body
  const ids = idsIn(call.body)
  const needsReason = decision === 'acceptedWithConcession' || decision === 'rejected'
  if (needsReason && reason === undefined)
    throw new Problem('validation_failed', {
      reasons: [because('decision_needs_reason', { place: '/reason' })],
    })
  const scope = await scopeOf(deps, call.companyId)
  if (decision !== 'archived' && decision !== 'rejected') await refresh(deps, scope, ids)
  return call.commit(async (tx) => {
    const entries = await lockAll(tx, { scope, ids, call })
    const open = entries.filter(({ state }) => state !== decision)
    refuse('inbox_decided', open, ({ state }) => state !== 'new', ids)
    if (decision === 'accepted')
      refuse('inbox_not_met', open, ({ advice }) => advice !== 'meetsEverything', ids)
    if (decision === 'accepted') {
      const exceeding = await findExceeding(tx, open)
      refuse('inbox_not_met', open, ({ id }) => exceeding.has(id), ids)
    }
    await decide(deps, tx, { call, open, decision, reason })
    return toInboxEntries(deps, await inOrder(tx, scope, ids))
  })
}

/** By an entry of its own: the decision stays in the history. */
export const undoInboxDecision = async (
  deps: CertificateDependencies,
  call: UndoCall,
): Promise<ReadInboxEntry> => {
  const scope = await scopeOf(deps, call.companyId)
  const { id } = await requireEntry(deps, call, call.params.id)
  const undone = await call.commit(async (tx) => {
    const [entry] = await lockAll(tx, { scope, ids: [id], call })
    const taken = await findDecision(tx, entry?.decisionId ?? null)
    if (entry === undefined || taken === undefined) throw new Problem('inbox_not_decided')
    const now = new Date(deps.clock.now())
    if (now > undoUntil(taken.decidedAt)) throw new Problem('inbox_undo_too_late')
    const by = principalName(call.principal)
    await insertDecisions(
      tx,
      [{ id: uuidv7(now.getTime()), inboxId: id, decision: 'undone', decidedBy: by, decidedAt: now }],
      'new',
    )
    await record(deps, tx, { call, entry, action: 'inbox.undo', details: { decision: taken.decision } })
    if (taken.decision !== 'archived')
      await tellDecision(deps, tx, { entries: [entry], decision: 'undone', at: now })
    await recheckOrders(deps, tx, [entry])
    const [listed] = await findListedEntries(tx, scope, [id])
    if (listed === undefined) throw new Problem('not_found')
    return toReadEntry(deps, listed)
  })
  // A requirement or the certificate may have changed since: an open entry says how it is now.
  await answerEntry(deps, id)
  return undone
}

/** Chooses the requirement of open entries, and answers them. */
export const checkInbox = async (deps: CertificateDependencies, call: CheckCall): Promise<InboxEntry[]> => {
  const { companyId, body } = call
  const { against = null } = body
  const ids = idsIn(body)
  const scope = await scopeOf(deps, companyId)
  if (against !== null) await requireNamed(deps.database.query, { companyId, nameOrHash: against })
  await deps.database.transaction(async (tx) => {
    const entries = await lockAll(tx, { scope, ids, call })
    refuse('inbox_decided', entries, ({ state }) => state !== 'new', ids)
    for (const entry of entries) {
      if (entry.against === against) continue
      await saveEntry(tx, entry.id, { against })
      await record(deps, tx, { call, entry, action: 'inbox.check', details: { against } })
    }
  })
  for (const id of ids) await answerEntry(deps, id)
  return toInboxEntries(deps, await inOrder(deps.database.query, scope, ids))
}

const idsIn = ({ ids }: { readonly ids: readonly string[] }): readonly string[] => [
  ...new Set(ids.map((id) => id.toLowerCase())),
]

const inOrder = async (
  query: Parameters<typeof findListedEntries>[0],
  scope: InboxScope,
  ids: readonly string[],
) => {
  const found = new Map((await findListedEntries(query, scope, ids)).map((entry) => [entry.id, entry]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

const refresh = async (
  deps: CertificateDependencies,
  scope: InboxScope,
  ids: readonly string[],
): Promise<void> => {
  const asked = deps.clock.now() - freshMs
  for (const { id, state, askedAt } of await findListedEntries(deps.database.query, scope, ids))
    if (state === 'new' && (askedAt === null || askedAt.getTime() < asked)) await answerEntry(deps, id)
}

const lockAll = async (
  tx: Transaction,
  { scope, ids, call }: { scope: InboxScope; ids: readonly string[]; call: DeskCall },
): Promise<readonly StoredEntry[]> => {
  const entries = await lockEntries(tx, scope, ids)
  if (entries.length < ids.length) throw new Problem('not_found')
  for (const { mode } of entries) call.assertRecordMode(mode)
  return entries
}

/** Names each entry that prevents it, by the number of its certificate. */
const refuse = (
  code: 'inbox_decided' | 'inbox_not_met',
  entries: readonly StoredEntry[],
  isInTheWay: (entry: StoredEntry) => boolean,
  ids: readonly string[],
): void => {
  const inTheWay = entries.filter(isInTheWay)
  if (inTheWay.length === 0) return
  const reasons = inTheWay.slice(0, mostNamed).map((entry): Reason => {
    const place = `/ids/${ids.indexOf(entry.id)}`
    const name = entry.number === '' ? (entry.fileName ?? entry.id) : entry.number
    return because(code === 'inbox_not_met' ? 'entry_not_met' : 'entry_decided', { name, place })
  })
  throw new Problem(code, { reasons })
}

const mostNamed = 20

const decide = async (
  deps: CertificateDependencies,
  tx: Transaction,
  {
    call,
    open,
    decision,
    reason,
  }: {
    readonly call: DecideCall
    readonly open: readonly StoredEntry[]
    readonly decision: InboxDecision
    readonly reason: string | undefined
  },
): Promise<void> => {
  const decidedAt = new Date(deps.clock.now())
  const decisions = open.map(({ id: inboxId, verdict, checked, ordered }) => ({
    id: uuidv7(decidedAt.getTime()),
    inboxId,
    decision,
    reason: reason ?? null,
    decidedBy: principalName(call.principal),
    decidedAt,
    verdict,
    checked,
    ordered,
  }))
  await insertDecisions(tx, decisions, decision)
  for (const entry of open) {
    const requirement = checkOf(entry.checked)?.requirement.hash
    const order = orderedOf(entry.ordered)?.hash
    const details = { decision, reason, requirement, order, verdict: entry.verdict }
    await record(deps, tx, { call, entry, action: 'inbox.decide', details })
  }
  if (decision !== 'archived')
    await tellDecision(deps, tx, { entries: open, decision, reason, at: decidedAt })
  if (decision === 'accepted' || decision === 'acceptedWithConcession') await recheckOrders(deps, tx, open)
}

/** What is open of an order depends on what was accepted of it. */
const recheckOrders = async (
  { jobs }: CertificateDependencies,
  tx: Transaction,
  entries: readonly StoredEntry[],
): Promise<void> => {
  const orders = new Map(entries.map(({ companyId, orderKey }) => [orderKey, companyId]))
  for (const [orderKey, companyId] of orders)
    if (orderKey !== null)
      await jobs.enqueue(
        tx,
        requirementsChanged,
        { companyId, orderKey },
        { singletonKey: `${companyId} ${orderKey}` },
      )
}

const record = (
  { audit }: CertificateDependencies,
  tx: Transaction,
  {
    call: { principal, client },
    entry: { id, companyId, mode, hash },
    action,
    details,
  }: {
    readonly call: DeskCall
    readonly entry: StoredEntry
    readonly action: string
    readonly details: object
  },
): Promise<void> =>
  audit.write(tx, {
    actor: principalName(principal),
    action,
    subject: `inbox:${id}`,
    companyId,
    ipAddress: client.ip,
    details: { mode, hash, ...details },
  })
