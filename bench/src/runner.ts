import { fork } from 'node:child_process'
import { join } from 'node:path'
import { makeTemporaryFolder } from '../../server/test/temporary-folder.ts'
import { diskFolder } from './machine.ts'
import { endGroup, signalGroup } from './processes.ts'
import type { Row } from './row.ts'

export type Planned = {
  readonly name: string
  /** A module that exports `measure`. */
  readonly module: string
  readonly deadlineMs: number
}

const program = join(import.meta.dirname, 'run-one.ts')
const graceMs = 5_000

/**
 * Runs a measurement in a process group of its own, calls `onRow` for each of its rows, and always ends: a measurement
 * that hangs, throws or crashes adds a row that says so. `signal` stops it without such a row.
 */
export const runMeasurement = async (
  { name, module, deadlineMs }: Planned,
  { onRow, signal }: { onRow: (row: Row) => void; signal: AbortSignal },
): Promise<void> => {
  await using folder = await makeTemporaryFolder(diskFolder())
  const child = fork(program, [name, module, folder.path], {
    detached: true,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', process.stderr, process.stderr, 'ipc'],
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`Cannot start the measurement ${name}`)
  const kill = () => signalGroup(pid, 'SIGKILL')
  process.once('exit', kill)
  try {
    const outcome = await new Promise<string | undefined>((resolve) => {
      let isComplete = false
      child.on('message', (message) => {
        const row = message as Row | { readonly done: true }
        isComplete ||= 'done' in row || row.failed === true
        if (!('done' in row)) onRow(row)
      })
      child.once('close', (code, killedBy) =>
        resolve(isComplete ? undefined : `failed: the process ended with ${killedBy ?? code}`),
      )
      const seconds = deadlineMs / 1_000
      const timer = setTimeout(() => resolve(`took longer than ${seconds} s (rows so far above)`), deadlineMs)
      child.once('close', () => clearTimeout(timer))
      signal.addEventListener('abort', () => resolve(undefined), { once: true })
    })
    if (outcome !== undefined) onRow({ measurement: name, label: outcome, failed: true })
  } finally {
    child.removeAllListeners('message')
    await endGroup(pid, graceMs)
    process.off('exit', kill)
  }
}
