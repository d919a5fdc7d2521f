import { webhookHeaders } from '@millseal/contract'
import { uuidv7 } from '../../../lib/uuid.ts'
import { NotDelivered, type Receipt } from '../../../ports/courier/courier.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { openHeaders } from '../hooks/hook-headers.ts'
import { openHookSecret } from '../signatures/hook-secret.ts'
import { signatureHeaders } from '../signatures/sign.ts'
import type { ClaimedDelivery } from './deliveries.store.ts'
import type { Attempt } from './results.store.ts'

export type Made = Attempt & { readonly retryAfter: string | undefined }

type Deps = Pick<PipeDependencies, 'courier' | 'keystore' | 'clock' | 'log'>

const keptAnswerBytes = 1_024
const isSuccess = (status: number | undefined): boolean =>
  status !== undefined && status >= 200 && status < 300

/**
 * One attempt; while a secret is being rotated and the receiver answers 401, a second at once in which `signature` is
 * keyed with the secret before: that header has room for one, and the receiver may know either.
 */
export const attemptDelivery = async (
  deps: Deps,
  delivery: ClaimedDelivery,
  { payload, signal }: { readonly payload: Uint8Array; readonly signal: AbortSignal },
): Promise<readonly Made[]> => {
  const sealed = secretsOf(deps, delivery)
  const first = await attempt(deps, delivery, { payload, signal, sealed })
  if (first.statusCode !== 401 || sealed.length < 2) return [first]
  return [first, await attempt(deps, delivery, { payload, signal, sealed: sealed.toReversed() })]
}

export const wasDelivered = (attempts: readonly Made[]): boolean => isSuccess(attempts.at(-1)?.statusCode)

type Post = {
  readonly payload: Uint8Array
  readonly signal: AbortSignal
  /** Secrets, the one that keys `signature` first. */
  readonly sealed: readonly Uint8Array[]
}

const attempt = async (deps: Deps, delivery: ClaimedDelivery, post: Post): Promise<Made> => {
  const startedAtMs = deps.clock.now()
  const started = performance.now()
  const made = {
    id: uuidv7(startedAtMs),
    recordId: delivery.recordId,
    startedAt: new Date(startedAtMs),
    retryAfter: undefined,
    statusCode: undefined,
    answer: undefined,
  }
  try {
    const receipt = await send(deps, delivery, { ...post, startedAtMs })
    return { ...made, ...readReceipt(receipt), durationMs: Math.round(performance.now() - started) }
  } catch (error) {
    if (!(error instanceof NotDelivered))
      deps.log.error({ err: error, hookId: delivery.hookId }, 'an attempt failed')
    const message = error instanceof NotDelivered ? error.message : 'The request could not be made'
    return { ...made, error: message, durationMs: Math.round(performance.now() - started) }
  }
}

const readReceipt = ({
  status,
  retryAfter,
  answer,
}: Receipt): Pick<Made, 'statusCode' | 'retryAfter' | 'error' | 'answer'> => ({
  statusCode: status,
  retryAfter,
  error: isSuccess(status) ? undefined : complaint(status),
  answer: answer.length === 0 ? undefined : answer.subarray(0, keptAnswerBytes),
})

const complaint = (status: number): string =>
  status >= 300 && status < 400
    ? `It answered ${status}: redirects are not followed`
    : `It answered ${status}`

const send = async (
  { courier, keystore }: Deps,
  delivery: ClaimedDelivery,
  { payload, signal, sealed, startedAtMs }: Post & { readonly startedAtMs: number },
): Promise<Receipt> => {
  const body = bodyOf(delivery, payload)
  const own = openHeaders(keystore, delivery.hookId, delivery.sealedHeaders).reveal()
  return courier.post({
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
        secrets: sealed.map((one) => openHookSecret(keystore, delivery.hookId, one)),
      }),
      [webhookHeaders.resource]: delivery.resource,
      [webhookHeaders.action]: delivery.action,
      [webhookHeaders.mode]: delivery.mode,
    },
    body,
    verifyCertificate: delivery.enableSSL,
    signal,
  })
}

const bodyOf = ({ contentType }: ClaimedDelivery, payload: Uint8Array): Uint8Array =>
  contentType === 'application/json'
    ? payload
    : Buffer.from(new URLSearchParams({ payload: Buffer.from(payload).toString('utf8') }).toString())

/** The one of now first. */
const secretsOf = ({ clock }: Deps, delivery: ClaimedDelivery): readonly Uint8Array[] => {
  const { sealedSecret, sealedPreviousSecret, previousSecretUntil } = delivery
  if (sealedSecret === null) return []
  const isOverlap = previousSecretUntil !== null && previousSecretUntil.getTime() > clock.now()
  return isOverlap && sealedPreviousSecret !== null ? [sealedSecret, sealedPreviousSecret] : [sealedSecret]
}
