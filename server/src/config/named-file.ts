import { readFileSync } from 'node:fs'
import { ConfigError } from '../config.ts'

/** A file that a setting names, or a file beside it. Throws `ConfigError` if it cannot be read. */
export const readNamedFile = (setting: string, path: string): Buffer => {
  try {
    return readFileSync(path)
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? error.code : error
    throw new ConfigError(`${setting}: the file ${path} cannot be read (${String(why)})`)
  }
}
