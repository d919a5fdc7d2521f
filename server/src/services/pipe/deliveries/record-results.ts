import type { Transaction } from '../../../ports/database/database.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { type Made, wasDelivered } from './attempt-delivery.ts'
import type { ClaimedDelivery } from './deliveries.store.ts'
import { disableHook, hookNotice } from './hook-trouble.ts'
import {
  type FailingHook,
  holdHooks,
  insertAttempts,
  markFailing,
  markWarned,
  markWell,
  type Outcome,
  recordOutcomes,
} from './results.store.ts'
import { nextAttemptAt } from './schedule.ts'

export type Finished = { readonly delivery: ClaimedDelivery; readonly attempts: readonly Made[] }

const hourMs = 60 * 60 * 1_000
const warnAfterMs = 24 * hourMs
const disableAfterMs = 5 * 24 * hourMs
/** Longer than any pause of the schedule: a failure before that says nothing of now. */
const forgetAfterMs = 48 * hourMs

/** What came of some attempts, in one transaction: their history, what is next, and what it says of their hooks. */
export const recordResults =
  (deps: PipeDependencies) =>
  async (finished: readonly Finished[]): Promise<void> => {
    await deps.database.transaction(async (tx) => {
      const nowMs = deps.clock.now()
      const now = new Date(nowMs)
      const byHook = Map.groupBy(finished, ({ delivery }) => delivery.hookId)
      await holdHooks(tx, [...byHook.keys()])
      await insertAttempts(
        tx,
        finished.flatMap(({ attempts }) => attempts),
      )
      await recordOutcomes(
        tx,
        finished.map((one) => outcomeOf(one, nowMs)),
        now,
      )
      const [well, ill] = divide(byHook)
      if (well.length > 0) await markWell(tx, well)
      if (ill.length === 0) return
      const forgottenBefore = new Date(nowMs - forgetAfterMs)
      for (const hook of await markFailing(tx, { hookIds: ill, now, forgottenBefore })) {
        await judge(deps, tx, { hook, finished: byHook.get(hook.id) ?? [], now })
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
    hookId: delivery.hookId,
    claim: delivery.claim,
    delivered,
    attempts: attempts.length,
    error: last?.error,
    errorStatus: delivered ? undefined : last?.statusCode,
    nextAttemptAt: next === undefined ? undefined : new Date(next),
  }
}

/** One that arrived speaks for the hook, whatever else was under way. */
const divide = (byHook: ReadonlyMap<string, readonly Finished[]>): [well: string[], ill: string[]] => {
  const isWell = (finished: readonly Finished[]): boolean =>
    finished.some(({ attempts }) => wasDelivered(attempts))
  const entries = [...byHook]
  return [
    entries.filter(([, finished]) => isWell(finished)).map(([id]) => id),
    entries.filter(([, finished]) => !isWell(finished)).map(([id]) => id),
  ]
}

type Judging = { readonly hook: FailingHook; readonly finished: readonly Finished[]; readonly now: Date }

/** Told to go away, or of no use for days: it is disabled. Of no use for a day: the company is warned, once. */
const judge = async (
  deps: PipeDependencies,
  tx: Transaction,
  { hook, finished, now }: Judging,
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
