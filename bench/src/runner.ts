import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { diskFolder, makeTemporaryFolder } from '../../server/test/temporary-folder.ts'
import type { Row } from './table.ts'

const program = join(import.meta.dirname, 'run-one.ts')

/**
 * Runs the `measure` of a module in a process group of its own, calls `onRow` for each of its rows, and always ends: a
 * measurement that hangs, throws or crashes adds a row that says so. `signal` stops it without such a row.
 */
export const runMeasurement = async (
  { name, module, deadlineMs }: Readonly<Record<'name' | 'module', string>> & { readonly deadlineMs: number },
  { onRow, signal }: { onRow: (row: Row) => void; signal: AbortSignal },
): Promise<void> => {
  await using folder = await makeTemporaryFolder(diskFolder())
  const child = fork(program, [name, module, folder.path], {
    detached: true,
    // As script/server starts the server.
    execArgv: ['--max-semi-space-size=8', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', process.stderr, process.stderr, 'ipc'],
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`Cannot start the measurement ${name}`)
  const kill = () => signalGroup(pid, 'SIGKILL')
  process.once('exit', kill)
  let isComplete = false
  child.on('message', (message: Row | { readonly done: true }) => {
    if ('done' in message) isComplete = true
    else onRow(message)
  })
  const ended = once(child, 'close').then(([code, killedBy]) =>
    isComplete ? undefined : `failed: the process ended with ${killedBy ?? code}`,
  )
  const late = `took longer than ${deadlineMs / 1_000} s (rows so far above)`
  const stopped = once(signal, 'abort').then(() => undefined)
  const outcome = await Promise.race([ended, stopped, pause(deadlineMs, late, { ref: false })])
  child.removeAllListeners('message')
  if (outcome !== undefined) onRow({ measurement: name, label: outcome, failed: true })
  await endGroup(pid)
  process.off('exit', kill)
}

/** Ends all processes of a group; an embedded database ends with its server. */
const endGroup = async (leader: number): Promise<void> => {
  signalGroup(leader, 'SIGTERM')
  for (let waited = 0; waited < 5_000 && signalGroup(leader, 0); waited += 100) await pause(100)
  if (signalGroup(leader, 'SIGKILL')) await pause(500)
}

/** Whether the group has any process. */
const signalGroup = (leader: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(-leader, signal)
  } catch {
    return false
  }
}
