import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { because, type Reason } from '@millseal/contract/reasons'
import { VaultUnavailable } from '../../../ports/vault/vault.ts'
import { PinRefused } from './cryptoki.ts'
import { errorOf, type FromSigner, type ToSigner } from './protocol.ts'
import type { TokenSettings } from './token.ts'
import { startDeadline } from '../../../lib/deadline.ts'

export type SignerProcess = AsyncDisposable & {
  /** Starts the process if necessary. Resolves once its token is open, or rejects with the reason. */
  ensure(): Promise<ChildProcess>
  kill(): void
  readonly pid: number | undefined
}

const program = join(import.meta.dirname, 'signer-process.ts')
const openDeadlineMs = 10_000
/** The pause after a token did not open. */
const pauseMs = 1_000
const shutdownMs = 2_000

export const keepRunning = ({
  settings,
  log,
  onMessage,
  onExit,
}: {
  readonly settings: TokenSettings
  readonly log: Logger
  readonly onMessage: (message: FromSigner) => void
  /** Called if the process ends unexpectedly after its token was open. */
  readonly onExit: () => void
}): SignerProcess => {
  let running: Promise<ChildProcess> | undefined
  let present: ChildProcess | undefined
  let closed = false

  const start = async (): Promise<ChildProcess> => {
    const child = fork(program, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    present = child
    const refusal = await openIn(child, settings)
    if (refusal !== undefined) {
      present = undefined
      child.kill('SIGKILL')
      log.error({ reason: refusal.message }, 'the live vault did not open')
      throw refusal
    }
    child.on('message', onMessage)
    child.once('exit', (code, signal) => {
      present = undefined
      running = undefined
      if (closed) return
      log.error({ code, signal }, 'the signer process ended')
      onExit()
    })
    return child
  }

  return {
    ensure() {
      if (running !== undefined) return running
      const starting = start()
      running = starting
      starting.catch((error: unknown) => {
        if (error instanceof PinRefused) return
        setTimeout(() => {
          running = undefined
        }, pauseMs).unref()
      })
      return starting
    },
    kill: () => present?.kill('SIGKILL'),
    get pid() {
      return present?.pid
    },
    async [Symbol.asyncDispose]() {
      closed = true
      if (present !== undefined) await shutDown(present)
    },
  }
}

/** Returns undefined once the token is open, or the reason why it did not open. */
const openIn = async (child: ChildProcess, settings: TokenSettings): Promise<Error | undefined> => {
  const { promise, resolve } = Promise.withResolvers<Error | undefined>()
  const refuse = (why: Reason, cause?: unknown) => resolve(new VaultUnavailable(why, { cause }))
  using _deadline = startDeadline(openDeadlineMs, () =>
    refuse(because('token_not_open', { ms: openDeadlineMs })),
  )
  child.on('error', (cause) => refuse(because('signer_not_started'), cause))
  child.once('exit', () => refuse(because('signer_ended')))
  child.once('message', (message: FromSigner) => {
    resolve('refused' in message ? errorOf(message.refused) : undefined)
  })
  child.send({ open: settings } satisfies ToSigner, () => {})
  return await promise
}

const shutDown = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  if (child.connected) child.disconnect()
  using _deadline = startDeadline(shutdownMs, () => child.kill('SIGKILL'))
  await exit
}
