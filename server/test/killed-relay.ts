import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Database } from '../src/ports/database/database.ts'
import { type Beginning, leaseMs } from './relay-clock.ts'

export const relayProgram = join(import.meta.dirname, 'relay-process.ts')

/** One process at a time; `replace` kills the current one. */
export const relayProcess = (
  { connection }: Database,
  program: string,
): AsyncDisposable & { replace(): void } => {
  const startedAtMs = Date.now()
  let aheadMs = 0
  let child: ChildProcess | undefined
  return {
    replace() {
      child?.kill('SIGKILL')
      child = fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
      child.send({ connection, startedAtMs, aheadMs } satisfies Beginning)
      aheadMs += leaseMs
    },
    async [Symbol.asyncDispose]() {
      if (child === undefined) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
