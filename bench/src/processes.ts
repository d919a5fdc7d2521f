import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const running = new Set<ChildProcess>()

/** An embedded database ends when its server has. */
const databaseEndMs = 500

/** Ends whatever is still running, at once. */
export const stopAll = async (): Promise<void> => {
  await Promise.all(
    [...running].map((child) => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      return ended
    }),
  )
  await pause(databaseEndMs)
}

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export const startProcess = (
  program: string,
  options: {
    readonly flags?: readonly string[]
    readonly args?: readonly string[]
    readonly environment?: Readonly<Record<string, string>>
    readonly stdout: 'ignore' | 'pipe'
    readonly stderr: 'inherit' | 'pipe'
  },
): ChildProcess & { readonly pid: number } => {
  const child = spawn(process.execPath, [...(options.flags ?? []), program, ...(options.args ?? [])], {
    env: { PATH: process.env['PATH'], ...options.environment },
    stdio: ['ignore', options.stdout, options.stderr],
  })
  if (child.pid === undefined) throw new Error(`${program} could not be started`)
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child as ChildProcess & { readonly pid: number }
}

const patienceMs = 10_000

/** Asks it to stop, and insists after a while. */
export const stopProcess = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  const insist = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  child.kill('SIGTERM')
  await ended
  clearTimeout(insist)
}

/** Processor time that a process has used so far; undefined where there is no /proc. */
export const cpuSecondsOf = (pid: number): number | undefined => {
  const fields = read(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ')
  if (fields === undefined) return undefined
  const ticksPerSecond = 100
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

export const residentMegabytesOf = (pid: number): number | undefined =>
  kilobytes(read(`/proc/${pid}/status`), 'VmRSS')

/** What the descendants hold, pages they share counted once. Undefined where it may not be read. */
export const descendantsMegabytesOf = (pid: number): number | undefined => {
  const shares = descendantsOf(pid).map((child) => kilobytes(read(`/proc/${child}/smaps_rollup`), 'Pss'))
  return shares.length === 0 || shares.includes(undefined)
    ? undefined
    : shares.reduce<number>((sum, share) => sum + (share ?? 0), 0)
}

const descendantsOf = (pid: number): number[] => {
  const parents = processIds().map((id) => ({ id, parent: parentOf(id) }))
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

const parentOf = (pid: number): number =>
  Number(
    read(`/proc/${pid}/stat`)
      ?.replace(/^.*\) /s, '')
      .split(' ')[1],
  )

const kilobytes = (text: string | undefined, name: string): number | undefined => {
  const found = text === undefined ? undefined : new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]
  return found === undefined ? undefined : (Number(found) * 1_024) / 1_000_000
}

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
