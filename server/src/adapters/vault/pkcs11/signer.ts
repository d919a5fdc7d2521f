import type { ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'
import { because } from '@millseal/contract/reasons'
import { VaultUnavailable } from '../../../ports/vault/vault.ts'
import { keepRunning } from './keep-running.ts'
import { type Calls, errorOf, type FromSigner, type Method, type Request, type ToSigner } from './protocol.ts'
import type { TokenSettings } from './token.ts'
import { startDeadline } from '../../../lib/deadline.ts'

export type Signer = AsyncDisposable & {
  /** Repeats the call if the process crashes during it; rejects with the errors of the vault. */
  call<M extends Method>(
    method: M,
    given: Calls[M]['given'],
    signal?: AbortSignal,
  ): Promise<Calls[M]['answer']>
  readonly pid: number | undefined
}

type Pending = Request & {
  sentTo: ChildProcess | undefined
  crashes: number
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

const callDeadlineMs = 5_000
/** A call that keeps crashing the process is rejected after this many crashes. */
const maxCrashes = 3

/** Starts the signer process when it is first needed, and again after a crash. */
export const createSigner = ({
  settings,
  log,
}: {
  readonly settings: TokenSettings
  readonly log: Logger
}): Signer => {
  const pending = new Map<number, Pending>()
  const process = keepRunning({
    settings,
    log,
    onMessage: (message) => settle(pending, message),
    onExit() {
      dropCrashers(pending)
      for (const call of pending.values()) void deliver(call)
    },
  })
  let nextId = 1
  let closed = false

  const deliver = async (call: Pending): Promise<void> => {
    try {
      const child = await process.ensure()
      if (!pending.has(call.id) || call.sentTo === child) return
      call.sentTo = child
      const { id, method, given } = call
      child.send({ id, method, given } satisfies ToSigner, () => {})
    } catch (error) {
      pending.delete(call.id)
      call.reject(error)
    }
  }

  return {
    async call(method, given, signal) {
      if (closed) throw new VaultUnavailable(because('signer_stopped'))
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const call: Pending = { id: nextId, method, given, sentTo: undefined, crashes: 0, resolve, reject }
      nextId += 1
      pending.set(call.id, call)
      void deliver(call)
      return (await within(promise, {
        signal,
        // The library of the token hangs, and blocks all other calls.
        onLate: () => call.sentTo !== undefined && process.kill(),
      }).finally(() => pending.delete(call.id))) as never
    },
    get pid() {
      return process.pid
    },
    async [Symbol.asyncDispose]() {
      closed = true
      for (const { reject } of pending.values()) reject(new VaultUnavailable(because('signer_stopped')))
      pending.clear()
      await process[Symbol.asyncDispose]()
    },
  }
}

const within = async (
  answer: Promise<unknown>,
  { signal, onLate }: { readonly signal: AbortSignal | undefined; readonly onLate: () => void },
): Promise<unknown> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const giveUp = (): void => reject(new VaultUnavailable(because('signer_late')))
  using _deadline = startDeadline(callDeadlineMs, () => {
    giveUp()
    onLate()
  })
  signal?.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([answer, promise])
  } finally {
    signal?.removeEventListener('abort', giveUp)
  }
}

const settle = (pending: Map<number, Pending>, message: FromSigner): void => {
  if (!('id' in message)) return
  const call = pending.get(message.id)
  pending.delete(message.id)
  if ('failure' in message) call?.reject(errorOf(message.failure))
  else call?.resolve(message.answer)
}

const dropCrashers = (pending: Map<number, Pending>): void => {
  for (const call of pending.values()) {
    call.crashes += call.sentTo === undefined ? 0 : 1
    if (call.crashes < maxCrashes) continue
    pending.delete(call.id)
    call.reject(new VaultUnavailable(because('signer_crashed')))
  }
}
