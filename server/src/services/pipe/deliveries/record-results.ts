import type { Transaction } from '../../../ports/database/database.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { type DeliveryAttempt, wasDelivered } from './attempt-delivery.ts'
import type { ClaimedDelivery } from './deliveries.store.ts'
import { disableHook } from './disable-hook.ts'
import { hookNotice } from './hook-notice.ts'
import {
  type FailingHook,
  insertAttempts,
  lockHooks,
  markFailing,
  markHealthy,
  markWarned,
  type Outcome,
  recordOutcomes,
} from './results.store.ts'
import { nextAttemptAt } from './schedule.ts'

export type Finished = {
  readonly delivery: ClaimedDelivery
  readonly attempts: readonly DeliveryAttempt[]
}

const hourMs = 60 * 60 * 1_000
const warnAfterMs = 24 * hourMs
const disableAfterMs = 5 * 24 * hourMs
/** Longer than any pause of the schedule: an earlier failure says nothing about the present. */
const failureExpiryMs = 48 * hourMs

/** Records finished attempts in one transaction: their history, the next attempts, and the state of the webhooks. */
export const recordResults = async (deps: PipeDependencies, finished: readonly Finished[]): Promise<void> => {
  await deps.database.transaction(async (tx) => {
    const nowMs = deps.clock.now()
    const now = new Date(nowMs)
    const byHook = Map.groupBy(finished, ({ delivery }) => delivery.hookId)
    await lockHooks(tx, [...byHook.keys()])
    await insertAttempts(
      tx,
      finished.flatMap(({ attempts }) => attempts),
    )
    await recordOutcomes(
      tx,
      finished.map((one) => outcomeOf(one, nowMs)),
      now,
    )
    // One successful delivery shows that the webhook works, whatever the others ended in.
    const isHealthy = (hookId: string): boolean =>
      (byHook.get(hookId) ?? []).some(({ attempts }) => wasDelivered(attempts))
    const healthy = [...byHook.keys()].filter(isHealthy)
    const failing = [...byHook.keys()].filter((id) => !isHealthy(id))
    if (healthy.length > 0) await markHealthy(tx, healthy)
    if (failing.length === 0) return
    const expiredBefore = new Date(nowMs - failureExpiryMs)
    for (const hook of await markFailing(tx, { hookIds: failing, now, expiredBefore })) {
      await warnOrDisable(deps, tx, { hook, finished: byHook.get(hook.id) ?? [], now })
    }
  })
}

const outcomeOf = ({ delivery, attempts }: Finished, nowMs: number): Outcome => {
  const last = attempts.at(-1)
  const delivered = wasDelivered(attempts)
  const next = delivered
    ? undefined
    : nextAttemptAt({
        tries: delivery.tries + 1,
        nowMs,
        retryAfter: last?.retryAfter,
        random: Math.random(),
      })
  return {
    recordId: delivery.recordId,
    claim: delivery.claim,
    delivered,
    attempts: attempts.length,
    error: last?.error ?? null,
    reasons: last?.reasons ?? null,
    errorStatus: delivered ? null : (last?.statusCode ?? null),
    nextAttemptAt: next === undefined ? null : new Date(next),
  }
}

/** Disables a webhook that answered 410 or failed for five days; warns the company, once, of one that failed for a day. */
const warnOrDisable = async (
  deps: PipeDependencies,
  tx: Transaction,
  {
    hook,
    finished,
    now,
  }: {
    readonly hook: FailingHook
    readonly finished: readonly Finished[]
    readonly now: Date
  },
): Promise<void> => {
  if (hook.status === 'disabled') return
  const failingMs = now.getTime() - hook.failingSince.getTime()
  if (finished.some(({ attempts }) => attempts.some(({ statusCode }) => statusCode === 410))) {
    await disableHook(deps, tx, { hookId: hook.id, reason: 'gone', now })
  } else if (failingMs >= disableAfterMs) {
    await disableHook(deps, tx, { hookId: hook.id, reason: 'failing', now })
  } else if (failingMs >= warnAfterMs && hook.warnedAt === null) {
    await markWarned(tx, hook.id, now)
    await deps.jobs.enqueue(tx, hookNotice, { hookId: hook.id, notice: 'failing_for_a_day' })
  }
}
