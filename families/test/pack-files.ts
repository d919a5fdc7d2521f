import assert from 'node:assert/strict'
import type { PackFiles } from '../src/packs/pack-files.ts'

/** In memory. `stop` lets the next calls of `put` fail from the file with this end on. */
export type TestPackFiles = PackFiles & {
  readonly contents: Map<string, Buffer>
  failFrom: string | undefined
}

export const openPackFiles = (): TestPackFiles => {
  const contents = new Map<string, Buffer>()
  const files: TestPackFiles = {
    contents,
    failFrom: undefined,
    list: async (folder) => [...contents.keys()].filter((name) => name.startsWith(`${folder}/`)).toSorted(),
    read: async (name) => contents.get(name),
    async put(all) {
      for (const { name, bytes } of all) {
        if (files.failFrom !== undefined && name.endsWith(files.failFrom)) throw new Error('interrupted')
        assert.deepEqual(contents.get(name) ?? bytes, bytes, name)
        contents.set(name, Buffer.from(bytes))
      }
    },
    async remove(names) {
      for (const known of contents.keys())
        if (names.some((name) => known === name || known.startsWith(`${name}/`))) contents.delete(known)
    },
  }
  return files
}
