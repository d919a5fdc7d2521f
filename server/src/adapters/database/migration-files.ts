import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseRefused } from './refused.ts'

export interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

export const migrationsFolder: string = join(import.meta.dirname, '..', '..', 'migrations')

/** Reads all migrations in order. Their numbers must start at 1 and have no gaps. */
export async function readMigrations(folder: string = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d.*\.sql$/.test(name)).toSorted()
  const migrations = await Promise.all(names.map((name) => readMigration(folder, name)))
  for (const [index, { number, name }] of migrations.entries()) {
    if (number === index + 1) continue
    const twin = migrations[index - 1]
    throw new DatabaseRefused(
      twin?.number === number
        ? `Migrations ${twin.name} and ${name} have the same number: renumber the newer one`
        : `Migration ${String(index + 1).padStart(4, '0')} is missing: the next one found is ${name}`,
    )
  }
  return migrations
}

async function readMigration(folder: string, fileName: string): Promise<Migration> {
  const [, digits, name] = /^(\d{4})-([a-z0-9-]+)\.sql$/.exec(fileName) ?? []
  if (digits === undefined || name === undefined) {
    throw new DatabaseRefused(`Migration ${fileName} must be named like 0001-the-server.sql`)
  }
  const sql = await readFile(join(folder, fileName), 'utf8')
  return {
    number: Number(digits),
    name: fileName.slice(0, -4),
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
  }
}
