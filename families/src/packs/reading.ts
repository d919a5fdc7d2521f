import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '../certificate/read-certificate.ts'
import { readPackJson } from './read-pack-json.ts'

const maxFileBytes = 1024 * 1024

/** The state of reading a folder: the files to store and the reasons to reject it. */
export type Reading = {
  readonly files: ReadonlyMap<string, Buffer>
  readonly reasons: readonly string[]
  reject(reason: string): void
  store(path: string, bytes: Buffer): void
  folders(path: string, pattern: RegExp): Promise<readonly string[]>
  /** The bytes of a regular file; undefined if it does not exist. Links are not followed. */
  file(path: string): Promise<Buffer | undefined>
  json(path: string, bytes: Buffer): JsonObject | undefined
}

export const startReading = (folder: string): Reading => {
  const files = new Map<string, Buffer>()
  const reasons: string[] = []
  return {
    files,
    reasons,
    reject: (reason) => reasons.push(reason),
    store: (path, bytes) => files.set(path, bytes),
    folders: async (path, pattern) => {
      const entries = await readdir(join(folder, path), { withFileTypes: true }).catch(() => [])
      const found = entries.filter((entry) => entry.isDirectory() && pattern.test(entry.name))
      return found.map(({ name }) => name).toSorted()
    },
    file: async (path) => {
      const facts = await lstat(join(folder, path)).catch(() => undefined)
      if (facts === undefined) return undefined
      if (facts.isFile() && facts.size <= maxFileBytes) return readFile(join(folder, path))
      reasons.push(`${path} must be a regular file of at most ${maxFileBytes} bytes`)
      return undefined
    },
    json: (path, bytes) => {
      try {
        return readPackJson(bytes)
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        reasons.push(`${path}: ${error.message}`)
        return undefined
      }
    },
  }
}
