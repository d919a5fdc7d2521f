import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Two processes with one folder would sign without knowing of each other. The lock of SQLite ends with its process, and counts in
 * containers that share the folder, too.
 */
export const lockFolder = (path: string): Disposable => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const database = new DatabaseSync(join(path, 'lock'))
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    database.close()
    throw new Error(`Another node uses the folder ${path}, or it cannot be written`, { cause })
  }
  return { [Symbol.dispose]: () => database.close() }
}
