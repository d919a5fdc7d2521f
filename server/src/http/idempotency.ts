import { createHash } from 'node:crypto'
import { limits, type Operation } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { canonicalJson, type JsonValue } from '@millseal/proof'
import { Problem } from '../lib/problem.ts'
import type { Clock } from '../ports/clock/clock.ts'
import { type Database, DatabaseUnavailable, type Transaction } from '../ports/database/database.ts'
import { claimSlot, findAnswer, type Slot, storeAnswer } from './idempotency.store.ts'

/** Carries the answer to the first request with this key, without the secrets that are shown only once. */
export class Replay extends Error {
  override readonly name = 'Replay'
  readonly status: number
  readonly body: Uint8Array

  constructor(status: number, body: Uint8Array) {
    super('replayed')
    this.status = status
    this.body = body
  }
}

export type KeyedRequest = {
  readonly operation: Operation
  readonly key: string
  readonly principal: string
  /** The URL and the company. Requests are the same if target and body are. */
  readonly target: string
  readonly body: unknown
  /** Writes the answer as it is sent, so a replay has the same bytes. */
  readonly serialize: (answer: unknown) => string
}

export type Commit = (work: (tx: Transaction) => Promise<unknown>) => Promise<unknown>

/**
 * At most one effect per Idempotency-Key: the transaction of the effect also claims the key and stores the answer. A
 * crash leaves all of it or nothing, so no leftover claim can block a retry.
 */
export const createIdempotency = (deps: { database: Database; clock: Clock }) => {
  const notBefore = () => new Date(deps.clock.now() - limits.idempotencyKey.seconds * 1_000)

  const findReplay = async (
    slot: Slot,
    fingerprint: Buffer,
    operation: Operation,
  ): Promise<Replay | undefined> => {
    const stored = await findAnswer(deps.database.query, slot, notBefore())
    if (stored === undefined) return undefined
    if (!fingerprint.equals(stored.fingerprint)) throw new Problem('idempotency_mismatch')
    return new Replay(stored.status ?? operation.answer.status, stored.answer ?? Buffer.from('null'))
  }

  return {
    /** Throws `Replay` if the request already took effect; otherwise returns a commit that stores the answer. */
    async begin(request: KeyedRequest): Promise<Commit> {
      const slot = slotOf(request)
      const fingerprint = fingerprintOf(request)
      const earlier = await findReplay(slot, fingerprint, request.operation)
      if (earlier !== undefined) throw earlier
      return async (work) => {
        const taken = Symbol('taken')
        const status = request.operation.answer.status
        const result = await deps.database
          .transaction(async (tx) => {
            const now = new Date(deps.clock.now())
            if (!(await claimSlot(tx, slot, { fingerprint, status, now, notBefore: notBefore() })))
              return taken
            const answer = await work(tx)
            await storeAnswer(tx, slot, Buffer.from(replayableText(answer, request)))
            return answer
          })
          .catch((error: unknown) => {
            throw isLockTimeout(error)
              ? new Problem('idempotency_running', { cause: error, retryAfterSeconds: 5 })
              : error
          })
        if (result !== taken) return result
        throw (
          (await findReplay(slot, fingerprint, request.operation)) ??
          new Problem('idempotency_running', { retryAfterSeconds: 1 })
        )
      }
    },
  }
}

export const assertUsableKey = (key: string): void => {
  const { minLength, maxLength } = limits.idempotencyKey
  if (key.length < minLength || key.length > maxLength || !/^[\x21-\x7e]+$/.test(key)) {
    throw new Problem('validation_failed', {
      reasons: [
        because('must_be_idempotency_key', {
          least: minLength,
          most: maxLength,
          place: 'header Idempotency-Key',
        }),
      ],
    })
  }
}

/** Stores only a hash of the key. */
const slotOf = ({ operation, key, principal }: KeyedRequest): Slot => ({
  principal,
  operation: operation.id,
  keyHash: createHash('sha256').update(key).digest(),
})

const fingerprintOf = ({ target, body }: KeyedRequest): Buffer => {
  const hash = createHash('sha256').update(`${target}\n`)
  if (isDocument(body)) {
    return hash
      .update(`${canonicalJson(body.fields)}\n`)
      .update(body.bytes)
      .digest()
  }
  return hash.update(body === undefined ? '' : canonicalJson(body as JsonValue)).digest()
}

const isDocument = (body: unknown): body is { bytes: Uint8Array; fields: Record<string, string> } =>
  typeof body === 'object' && body !== null && 'bytes' in body && body.bytes instanceof Uint8Array

const replayableText = (answer: unknown, { operation, serialize }: KeyedRequest): string => {
  const written = serialize(answer)
  return operation.secrets === undefined
    ? written
    : JSON.stringify(withoutSecrets(JSON.parse(written), operation.secrets))
}

const withoutSecrets = (answer: unknown, secrets: readonly string[]): unknown => {
  if (typeof answer !== 'object' || answer === null) return answer
  if (Array.isArray(answer)) return answer.map((item) => withoutSecrets(item, secrets))
  return Object.fromEntries(
    Object.entries(answer)
      .filter(([name]) => !secrets.includes(name))
      .map(([name, value]) => [name, withoutSecrets(value, secrets)]),
  )
}

const isLockTimeout = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && (error.cause as { code?: unknown } | undefined)?.code === '55P03'
