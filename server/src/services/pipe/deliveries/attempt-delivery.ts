import { uuidv7 } from '../../../lib/uuid.ts'
import { eventSpan } from '../../../ports/tracer/known-spans.ts'
import type { PipeDependencies } from '../dependencies.ts'
import type { EventContent } from '../events/event-records.store.ts'
import { decryptHeaders } from '../hooks/hook-headers.ts'
import { decryptHookSecret } from '../signatures/hook-secret.ts'
import type { ClaimedDelivery } from './deliveries.store.ts'
import type { Attempt } from './results.store.ts'
import { type HookRequest, isSuccess, sendRequest } from '../hooks/send-request.ts'

export type DeliveryAttempt = Attempt & { readonly retryAfter: string | undefined }

/**
 * Makes one attempt. If the receiver answers 401 while a secret is being rotated, makes a second one at once with the
 * previous secret as the key of `signature`: that header carries one digest, and the receiver may know either secret.
 */
export const attemptDelivery = async (
  deps: PipeDependencies,
  delivery: ClaimedDelivery,
  { payload, aboutId, signal }: EventContent & { readonly signal: AbortSignal },
): Promise<readonly DeliveryAttempt[]> => {
  const { hookId, recordId, eventId, encryptedHeaders } = delivery
  const parent = eventSpan({ ...delivery, id: eventId, aboutId }, 'relay')
  const attempt = async (secrets: HookRequest['secrets']): Promise<DeliveryAttempt> => {
    const headers = decryptHeaders(deps, hookId, encryptedHeaders)
    const exchange = await sendRequest(deps, { ...delivery, payload, headers, secrets, parent }, signal)
    return { ...exchange, id: uuidv7(exchange.startedAt.getTime()), recordId }
  }
  const secrets = secretsOf(deps, delivery)
  const first = await attempt(secrets)
  if (first.statusCode !== 401 || secrets.length < 2) return [first]
  return [first, await attempt(secrets.toReversed())]
}

export const wasDelivered = (attempts: readonly DeliveryAttempt[]): boolean =>
  isSuccess(attempts.at(-1)?.statusCode)

/** The current secret first. */
const secretsOf = (deps: PipeDependencies, delivery: ClaimedDelivery): HookRequest['secrets'] => {
  const { hookId, encryptedSecret, encryptedPreviousSecret, previousSecretUntil } = delivery
  if (encryptedSecret === null) return []
  const isOverlap = previousSecretUntil !== null && previousSecretUntil.getTime() > deps.clock.now()
  const encrypted =
    isOverlap && encryptedPreviousSecret !== null
      ? [encryptedSecret, encryptedPreviousSecret]
      : [encryptedSecret]
  return encrypted.map((one) => decryptHookSecret(deps, hookId, one))
}
