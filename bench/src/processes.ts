import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** They belong to the process group of their measurement and end with it. */
export const startProcess = (
  program: string,
  options: {
    readonly flags?: readonly string[]
    readonly args?: readonly string[]
    readonly environment?: Readonly<Record<string, string>>
    readonly stdin?: 'ignore' | 'pipe'
    readonly stdout: 'ignore' | 'pipe'
    readonly stderr: 'inherit' | 'pipe'
  },
): ChildProcess & { readonly pid: number } => {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [...(options.flags ?? []), program, ...(options.args ?? [])], {
    env: { PATH, NODE_COMPILE_CACHE, ...options.environment },
    stdio: [options.stdin ?? 'ignore', options.stdout, options.stderr],
  })
  if (child.pid === undefined) throw new Error(`Cannot start ${program}`)
  return child as ChildProcess & { readonly pid: number }
}

const graceMs = 10_000

/** Asks the process to stop, and kills it if it does not. */
export const stopProcess = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  const killing = setTimeout(() => child.kill('SIGKILL'), graceMs)
  child.kill('SIGTERM')
  await ended
  clearTimeout(killing)
}

/** Ends all processes of a group; an embedded database ends with its server. */
export const endGroup = async (leader: number, waitMs: number): Promise<void> => {
  if (!signalGroup(leader, 'SIGTERM')) return
  for (let waited = 0; waited < waitMs; waited += 100) {
    await pause(100)
    if (!signalGroup(leader, 0)) return
  }
  signalGroup(leader, 'SIGKILL')
  await pause(500)
}

/** Whether the group has any process. */
export const signalGroup = (leader: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(-leader, signal)
  } catch {
    return false
  }
}

/** Processor time that a process, its descendants and those of them that have ended used so far; NaN without /proc. */
export const cpuSecondsOf = (pid: number): number => {
  const ticksPerSecond = 100
  const ticks = [pid, ...descendantsOf(pid)].map((id) => {
    const fields = statOf(id)
    return fields === undefined ? 0 : fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  })
  return statOf(pid) === undefined ? Number.NaN : ticks.reduce((sum, one) => sum + one, 0) / ticksPerSecond
}

export const residentMegabytesOf = (pid: number): number => megabytes(read(`/proc/${pid}/status`), 'VmRSS')

/** The memory of all descendants, counting the pages they share once. */
export const descendantsMegabytesOf = (pid: number): number =>
  descendantsOf(pid).reduce((sum, id) => sum + megabytes(read(`/proc/${id}/smaps_rollup`), 'Pss'), 0)

const descendantsOf = (pid: number): number[] => {
  const parents = processIds().map((id) => ({ id, parent: Number(statOf(id)?.[1]) }))
  const below = (ancestor: number): number[] =>
    parents.filter(({ parent }) => parent === ancestor).flatMap(({ id }) => [id, ...below(id)])
  return below(pid)
}

const processIds = (): number[] => {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

/** The fields after the name of the program. */
const statOf = (pid: number): string[] | undefined =>
  read(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ')

const megabytes = (text: string | undefined, name: string): number => {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text ?? '')?.[1]
  return found === undefined ? Number.NaN : (Number(found) * 1_024) / 1_000_000
}

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
