// Processor time and memory, from /proc. NaN where there is none.
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The fields of /proc/…/stat after the name of the program; empty if the process has ended. */
const statOf = (pid: number): string[] => read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []

const descendantsOf = (pid: number): number[] => {
  const ids = globSync('/proc/[0-9]*').map((path) => Number(basename(path)))
  const parents = ids.map((id) => ({ id, parent: Number(statOf(id)[1]) }))
  const below = (ancestor: number): number[] =>
    parents.filter(({ parent }) => parent === ancestor).flatMap(({ id }) => [id, ...below(id)])
  return below(pid)
}

const ticksPerSecond = 100

/** Of a process, its descendants and those of them that have ended. */
export const cpuSecondsOf = (pid: number): number => {
  const ticks = [pid, ...descendantsOf(pid)].flatMap((id) => statOf(id).slice(11, 15).map(Number))
  return ticks.length === 0 ? Number.NaN : ticks.reduce((sum, one) => sum + one, 0) / ticksPerSecond
}

const megabytesOf = (pid: number, file: string, name: string): number => {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${pid}/${file}`))?.[1]
  return (Number(found) * 1_024) / 1_000_000
}

export const residentMegabytesOf = (pid: number): number => megabytesOf(pid, 'status', 'VmRSS')

/** The memory of all descendants, counting the pages they share once. */
export const descendantsMegabytesOf = (pid: number): number =>
  descendantsOf(pid).reduce((sum, id) => sum + megabytesOf(id, 'smaps_rollup', 'Pss'), 0)
