import type { ProcessRole, Readiness, RoleState } from '@millseal/contract'
import { because, type Reason } from '@millseal/contract/reasons'
import { createRecentCheck } from '../lib/recent-check.ts'
import { Problem } from '../lib/problem.ts'
import type { Clock } from '../ports/clock/clock.ts'
import { deadlineSignal } from '../lib/deadline.ts'

/** Something that a process uses. */
export type Dependency = {
  readonly name: string
  /** `check` rejects, or does not answer in time, if it is down. `since`: when that began, if the part knows it. */
  readonly part: {
    check(signal: AbortSignal): Promise<void>
    readonly warning?: string | undefined
  }
  /** What each role cannot do without it. A part that no role of the process needs has a durable queue. */
  readonly neededFor: { readonly [R in ProcessRole]?: 'everything' | 'writes' }
}

export type Asked = { readonly role?: ProcessRole | undefined; readonly writes?: boolean | undefined }

const checkDeadlineMs = 2_000
/** A slow part that no role needs does not slow down the answer. */
const queuedCheck = { maxAgeMs: 2_000, waitMs: 500, deadlineMs: 10_000 }

/** Throws `unavailable` with the reasons if the role cannot work; otherwise returns what all roles can do. */
export const createReadiness = (deps: {
  readonly dependencies: readonly Dependency[]
  readonly roles: readonly ProcessRole[]
  readonly clock: Clock
}): ((asked: Asked) => Promise<Readiness>) => {
  const { roles, clock } = deps
  const observed = deps.dependencies.map((dependency) => observe(dependency, { roles, clock }))
  return async ({ role, writes = false }) => {
    if (role !== undefined && !roles.includes(role)) {
      throw notReady([because('lacks_role', { role, roles: roles.join(',') })])
    }
    const results = await Promise.all(observed.map(({ observe: look }) => look()))
    const failed = observed.flatMap(({ neededFor }, index) => {
      const result = results[index]
      return result?.error === undefined || result.status === 'up' ? [] : [{ ...result, neededFor }]
    })
    const stateOf = (one: ProcessRole): RoleState => {
      if (failed.some(({ neededFor }) => neededFor[one] === 'everything')) return 'not_ready'
      return failed.some(({ neededFor }) => neededFor[one] === 'writes') ? 'read_only' : 'ready'
    }
    const usual = roles.includes('api') ? (['api'] as const) : roles
    const decisive = role === undefined ? usual : [role]
    const states = decisive.map(stateOf)
    const isReadOnly = states.includes('read_only')
    if (states.includes('not_ready') || (isReadOnly && writes)) {
      const blocking = failed.filter(({ neededFor }) => decisive.some((one) => neededFor[one] !== undefined))
      throw notReady(
        blocking.map(({ name, error }) => because('part_is_down', { part: name, why: String(error) })),
      )
    }
    return {
      status: isReadOnly ? 'read_only' : 'ready',
      roles: roles.map((name) => ({ name, status: stateOf(name) })),
      dependencies: results,
    }
  }
}

const notReady = (reasons: readonly Reason[]): Problem =>
  new Problem('unavailable', { reasons, retryAfterSeconds: 5 })

/** Remembers since when the dependency is down. */
const observe = (
  dependency: Dependency,
  { roles, clock }: { readonly roles: readonly ProcessRole[]; readonly clock: Clock },
): Dependency & { readonly observe: () => Promise<Readiness['dependencies'][number]> } => {
  const { name, part, neededFor } = dependency
  const isNeeded = roles.some((role) => neededFor[role] !== undefined)
  const check = isNeeded ? () => checkNow(part) : checkRecently(part)
  let since: Date | undefined
  return {
    ...dependency,
    async observe() {
      const error = await check()
      if (error === undefined) {
        since = undefined
        return { name, status: 'up', error: part.warning }
      }
      since ??= new Date(clock.now())
      return { name, status: isNeeded ? 'down' : 'degraded', error, since: since.toISOString() }
    },
  }
}

const checkNow = async (part: Dependency['part']): Promise<string | undefined> => {
  const signal = deadlineSignal(checkDeadlineMs)
  const late = Promise.withResolvers<never>()
  const giveUp = (): void => late.reject(new Error(`no answer within ${checkDeadlineMs} ms`))
  signal.addEventListener('abort', giveUp, { once: true })
  return await Promise.race([part.check(signal), late.promise]).then(
    () => undefined,
    (cause: unknown) => (cause instanceof Error ? cause.message : 'failed'),
  )
}

const checkRecently = (part: Dependency['part']): (() => Promise<string | undefined>) => {
  const recent = createRecentCheck({ ...queuedCheck, check: (signal) => part.check(signal) })
  return async () => {
    const result = await recent()
    return result === undefined ? 'it has not answered yet' : result.error
  }
}
