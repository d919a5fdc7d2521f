import { createHash } from 'node:crypto'
import { limits, type Operation } from '@millseal/contract'
import { canonicalJson, type JsonValue } from '@millseal/proof'
import { Problem } from '../lib/problem.ts'
import type { Clock } from '../ports/clock/clock.ts'
import type { Database, Transaction } from '../ports/database/database.ts'
import { claimSlot, findRemembered, rememberAnswer, type Slot } from './idempotency.store.ts'

/** The answer of the first request with this key; sent as it was, without what was only ever shown once. */
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

export type Keyed = {
  readonly operation: Operation
  readonly key: string
  readonly principal: string
  /** What makes two requests the same: where they go, for whom, and what they carry. */
  readonly target: string
  readonly body: unknown
  /** As the answer will be written out, so that a replay is the same to the byte. */
  readonly serialize: (answer: unknown) => string
}

export type Commit = (work: (tx: Transaction) => Promise<unknown>) => Promise<unknown>

/**
 * At most one effect per Idempotency-Key: the key is claimed and the answer kept in the very transaction of the effect,
 * so a crash leaves either both or nothing, and no half-done marker can block a retry.
 */
export const createIdempotency = (deps: { database: Database; clock: Clock }) => {
  const notBefore = () => new Date(deps.clock.now() - limits.idempotencyKey.seconds * 1_000)

  const replayed = async (slot: Slot, fingerprint: Buffer): Promise<Replay | undefined> => {
    const remembered = await findRemembered(deps.database.query, slot, notBefore())
    if (remembered === undefined) return undefined
    if (!fingerprint.equals(remembered.fingerprint)) throw new Problem('idempotency_mismatch')
    return new Replay(remembered.status, remembered.answer ?? Buffer.from('null'))
  }

  return {
    /** Throws `Replay` when the request was carried out before; otherwise the commit that remembers it. */
    async begin(keyed: Keyed): Promise<Commit> {
      const slot = slotOf(keyed)
      const fingerprint = fingerprintOf(keyed)
      const earlier = await replayed(slot, fingerprint)
      if (earlier !== undefined) throw earlier
      return async (work) => {
        const taken = Symbol('taken')
        const status = keyed.operation.answer.status
        const result = await deps.database
          .transaction(async (tx) => {
            const now = new Date(deps.clock.now())
            if (!(await claimSlot(tx, slot, { fingerprint, status, now, notBefore: notBefore() })))
              return taken
            const answer = await work(tx)
            await rememberAnswer(tx, slot, Buffer.from(toRemember(answer, keyed)))
            return answer
          })
          .catch((error: unknown) => {
            throw isLockTimeout(error)
              ? new Problem('idempotency_running', { cause: error, retryAfterSeconds: 5 })
              : error
          })
        if (result !== taken) return result
        throw (
          (await replayed(slot, fingerprint)) ?? new Problem('idempotency_running', { retryAfterSeconds: 1 })
        )
      }
    },
  }
}

export const assertUsableKey = (key: string): void => {
  const { minLength, maxLength } = limits.idempotencyKey
  if (key.length < minLength || key.length > maxLength || !/^[\x21-\x7e]+$/.test(key)) {
    throw new Problem('validation_failed', {
      details: [`header Idempotency-Key must be ${minLength} to ${maxLength} printable ASCII characters`],
    })
  }
}

/** The key itself is not stored: it may be guessable, and it is the client's. */
const slotOf = ({ operation, key, principal }: Keyed): Slot => ({
  principal,
  operation: operation.id,
  keyHash: createHash('sha256').update(key).digest(),
})

const fingerprintOf = ({ target, body }: Keyed): Buffer => {
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

const toRemember = (answer: unknown, { operation, serialize }: Keyed): string => {
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
  error instanceof Error && 'code' in error && error.code === '55P03'
