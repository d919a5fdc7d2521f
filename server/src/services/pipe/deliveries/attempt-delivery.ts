import { webhookHeaders } from '@millseal/contract'
import { uuidv7 } from '../../../lib/uuid.ts'
import { NotDelivered, type Receipt } from '../../../ports/courier/courier.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { decryptHeaders } from '../hooks/hook-headers.ts'
import { decryptHookSecret } from '../signatures/hook-secret.ts'
import { signatureHeaders } from '../signatures/sign.ts'
import type { ClaimedDelivery } from './deliveries.store.ts'
import type { Attempt } from './results.store.ts'

export type DeliveryAttempt = Attempt & { readonly retryAfter: string | undefined }

const maxAnswerBytes = 1_024
const isSuccess = (status: number | null | undefined): boolean =>
  typeof status === 'number' && status >= 200 && status < 300

/**
 * Makes one attempt. If the receiver answers 401 while a secret is being rotated, makes a second one at once with the
 * previous secret as the key of `signature`: that header carries one digest, and the receiver may know either secret.
 */
export const attemptDelivery = async (
  deps: PipeDependencies,
  delivery: ClaimedDelivery,
  { payload, signal }: { readonly payload: Uint8Array; readonly signal: AbortSignal },
): Promise<readonly DeliveryAttempt[]> => {
  const secrets = secretsOf(deps, delivery)
  const first = await attempt(deps, delivery, { payload, signal, secrets })
  if (first.statusCode !== 401 || secrets.length < 2) return [first]
  return [first, await attempt(deps, delivery, { payload, signal, secrets: secrets.toReversed() })]
}

export const wasDelivered = (attempts: readonly DeliveryAttempt[]): boolean =>
  isSuccess(attempts.at(-1)?.statusCode)

type Request = {
  readonly payload: Uint8Array
  readonly signal: AbortSignal
  /** Encrypted; the first one is the key of `signature`. */
  readonly secrets: readonly Uint8Array[]
}

const attempt = async (
  deps: PipeDependencies,
  delivery: ClaimedDelivery,
  request: Request,
): Promise<DeliveryAttempt> => {
  const startedAtMs = deps.clock.now()
  const started = performance.now()
  const common = {
    id: uuidv7(startedAtMs),
    recordId: delivery.recordId,
    startedAt: new Date(startedAtMs),
    retryAfter: undefined,
    statusCode: null,
    answer: null,
  }
  try {
    const receipt = await send(deps, delivery, { ...request, startedAtMs })
    return { ...common, ...readReceipt(receipt), durationMs: Math.round(performance.now() - started) }
  } catch (error) {
    if (!(error instanceof NotDelivered))
      deps.log.error({ err: error, hookId: delivery.hookId }, 'an attempt failed')
    const message = error instanceof NotDelivered ? error.message : 'The request could not be made'
    return { ...common, error: message, durationMs: Math.round(performance.now() - started) }
  }
}

const readReceipt = ({ status, retryAfter, answer }: Receipt) => ({
  statusCode: status,
  retryAfter,
  error: isSuccess(status) ? null : errorOf(status),
  answer: answer.length === 0 ? null : answer.subarray(0, maxAnswerBytes),
})

const errorOf = (status: number): string =>
  status >= 300 && status < 400
    ? `The receiver answered ${status}: redirects are not followed`
    : `The receiver answered ${status}`

const send = async (
  deps: PipeDependencies,
  delivery: ClaimedDelivery,
  { payload, signal, secrets, startedAtMs }: Request & { readonly startedAtMs: number },
): Promise<Receipt> => {
  const body = bodyOf(delivery, payload)
  const own = decryptHeaders(deps, delivery.hookId, delivery.encryptedHeaders).reveal()
  return deps.courier.post({
    url: delivery.connectionUrl,
    headers: {
      'user-agent': 'Millseal',
      accept: '*/*',
      ...Object.fromEntries(own.map(({ name, value }) => [name.toLowerCase(), value])),
      'content-type': delivery.contentType,
      ...signatureHeaders({
        id: delivery.eventId,
        timestampSeconds: Math.floor(startedAtMs / 1_000),
        body,
        secrets: secrets.map((one) => decryptHookSecret(deps, delivery.hookId, one)),
      }),
      [webhookHeaders.resource]: delivery.resource,
      [webhookHeaders.action]: delivery.action,
      [webhookHeaders.mode]: delivery.mode,
    },
    body,
    verifyCertificate: delivery.enableSsl,
    signal,
  })
}

const bodyOf = ({ contentType }: ClaimedDelivery, payload: Uint8Array): Uint8Array =>
  contentType === 'application/json'
    ? payload
    : Buffer.from(new URLSearchParams({ payload: Buffer.from(payload).toString('utf8') }).toString())

/** The current secret first. */
const secretsOf = ({ clock }: PipeDependencies, delivery: ClaimedDelivery): readonly Uint8Array[] => {
  const { encryptedSecret, encryptedPreviousSecret, previousSecretUntil } = delivery
  if (encryptedSecret === null) return []
  const isOverlap = previousSecretUntil !== null && previousSecretUntil.getTime() > clock.now()
  return isOverlap && encryptedPreviousSecret !== null
    ? [encryptedSecret, encryptedPreviousSecret]
    : [encryptedSecret]
}
