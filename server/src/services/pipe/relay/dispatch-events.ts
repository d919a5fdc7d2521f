import { storedReasons } from '../../../lib/stored-reasons.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { eventAttributes, eventSpan } from '../../../ports/tracer/known-spans.ts'
import { admitDeliveries } from '../quotas/daily-quota.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { endHooks } from '../hooks/hooks.store.ts'
import { endMailHooks } from '../mailhooks/mailhooks.store.ts'
import { orderMails } from '../mails/orders.store.ts'
import {
  findListeners,
  findUndispatched,
  insertRecords,
  markDispatched,
  notifyFollowers,
  numberDispatched,
  type Match,
  type NewRecord,
  type OutboxEntry,
  tryToLock,
} from '../events/outbox.store.ts'

const batchSize = 500

/**
 * Returns the pass of a loop that records events for the webhooks that listen and orders the mails of mail hooks. A pass
 * returns whether more may be waiting.
 */
export const createDispatcher = (
  deps: PipeDependencies,
  { onRecords, onOrders }: { readonly onRecords: () => void; readonly onOrders: () => void },
): (() => Promise<boolean>) => {
  let afterOwner: string | undefined
  return async () => {
    const leftSomeOut = afterOwner !== undefined
    const startedAt = deps.tracer.now()
    const { owners, entries, recorded, ordered } = await dispatchSome(deps, afterOwner)
    traceRelay(deps, entries, startedAt)
    afterOwner = owners.length === batchSize ? owners.at(-1) : undefined
    if (recorded > 0) onRecords()
    if (ordered > 0) onOrders()
    return entries.length === batchSize || leftSomeOut || afterOwner !== undefined
  }
}

const dispatchSome = (deps: PipeDependencies, afterOwner: string | undefined) =>
  deps.database.transaction(async (tx) => {
    if (!(await tryToLock(tx, 'dispatch'))) return nothing
    await numberDispatched(tx)
    const entries = await findUndispatched(tx, { limit: batchSize, waiting: [], afterOwner })
    if (entries.length === 0) return nothing
    const nowMs = deps.clock.now()
    const now = new Date(nowMs)
    const ids = entries.map(({ id }) => id)
    await markDispatched(tx, ids, now)
    const matches = await findListeners(tx, ids)
    if (matches.length > 0) {
      await insertRecords(tx, await withinLimits(deps, tx, { matches, nowMs }), now)
    }
    const orders = await orderMails(tx, ids)
    await endHooksOfDeleted(deps, tx, { entries, now })
    const owners = [...new Set(entries.map(({ ownerId }) => ownerId))].toSorted()
    await notifyFollowers(tx, owners)
    return { owners, entries, recorded: matches.length, ordered: orders }
  })

const traceRelay = (
  { tracer }: PipeDependencies,
  entries: readonly OutboxEntry[],
  startedAt: number,
): void => {
  for (const entry of entries)
    tracer.add({
      name: 'relay event',
      kind: 'consumer',
      parent: eventSpan(entry, 'write'),
      known: eventSpan(entry, 'relay'),
      startedAt,
      attributes: eventAttributes(entry),
    })
}

/** The first ones of each company, as many as its day has left, are delivered. */
const withinLimits = async (
  deps: PipeDependencies,
  tx: Transaction,
  { matches, nowMs }: { readonly matches: readonly Match[]; readonly nowMs: number },
): Promise<readonly NewRecord[]> => {
  const perCompany = Map.groupBy(matches, ({ companyId }) => companyId)
  const demands = [...perCompany].map(([companyId, { length }]) => ({ companyId, wanted: length }))
  const grants = await admitDeliveries(deps, tx, demands)
  const taken = new Map<string, number>()
  return matches.map(({ companyId, ...match }) => {
    const before = taken.get(companyId) ?? 0
    taken.set(companyId, before + 1)
    const grant = grants.get(companyId)
    const reason = grant !== undefined && before >= grant.granted ? grant.reason : undefined
    return {
      ...match,
      id: uuidv7(nowMs),
      refusal: reason === undefined ? undefined : storedReasons([reason]),
    }
  })
}

const nothing = { owners: [], entries: [], recorded: 0, ordered: 0 }

/**
 * Hooks outlive their company until its last event, usually that of its deletion, was dispatched. Asking for the
 * companies first is safe: an event that was committed with the deletion is visible to the statements that end hooks.
 */
const endHooksOfDeleted = async (
  { users }: PipeDependencies,
  tx: Transaction,
  { entries, now }: { readonly entries: readonly OutboxEntry[]; readonly now: Date },
): Promise<void> => {
  const owners = entries.flatMap(({ ownerKind, ownerId }) => (ownerKind === 'company' ? [ownerId] : []))
  const existing = new Set((await users.findCompaniesById(tx, [...new Set(owners)])).map(({ id }) => id))
  const deleted = owners.filter((id) => !existing.has(id))
  if (deleted.length === 0) return
  await endHooks(tx, deleted, now)
  await endMailHooks(tx, deleted, now)
}
