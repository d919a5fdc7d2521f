import assert from 'node:assert/strict'
import { type ErrorCode, errors } from '@millseal/contract'
import { ApiError } from '@millseal/sdk'

/** The answer to a call that must not succeed. */
export const refusal = async (call: Promise<unknown>): Promise<ApiError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ApiError, `not refused: ${String(error)}`)
  return error
}

/** Asserts that the call was refused for this reason. */
export const assertRefused = async (call: Promise<unknown>, code: ErrorCode): Promise<void> => {
  assert.equal(codeOf(await refusal(call)), code)
}

/** Counts how many concurrent calls succeeded, and how many were refused, by reason. */
export const outcomesOf = async (calls: readonly Promise<unknown>[]): Promise<Record<string, number>> => {
  const settled = await Promise.allSettled(calls)
  const names = settled.map((one) => {
    if (one.status === 'fulfilled') return 'ok'
    if (one.reason instanceof ApiError) return codeOf(one.reason)
    throw one.reason
  })
  return Object.fromEntries(
    [...new Set(names)].toSorted().map((name) => [name, names.filter((other) => other === name).length]),
  )
}

const mostAttempts = 50

/**
 * Repeats a call that was answered with 503, which changed nothing: on a busy machine, calls at once wait longer for a lock than the
 * server lets them.
 */
export const untilAvailable = async <T>(call: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; attempt < mostAttempts; attempt += 1)
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 503) throw error
    }
  return call()
}

/** The catalogue entry of an error; the details of the call follow its message. */
const codeOf = ({ status, answer }: ApiError): string => {
  const said = answer?.message ?? ''
  const found = Object.entries(errors).find(
    ([, { status: known, message }]) =>
      known === status && (said === message || said.startsWith(`${message}: `)),
  )
  return found?.[0] ?? `${status} ${said}`
}
