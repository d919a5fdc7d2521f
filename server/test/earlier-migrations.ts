import assert from 'node:assert/strict'
import { copyFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { migrationsFolder } from '../src/adapters/database/migration-files.ts'

/** The migrations before the one with this name, in a folder. */
export const copyMigrationsBefore = async (folder: string, name: string): Promise<void> => {
  const names = (await readdir(migrationsFolder)).filter((file) => /^\d/.test(file)).toSorted()
  const last = names.findIndex((file) => file.endsWith(name))
  assert.ok(last > 0)
  for (const file of names.slice(0, last)) await copyFile(join(migrationsFolder, file), join(folder, file))
}
