import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findPack } from './list-packs.ts'
import { type PackManifest } from './manifest.ts'
import { readSource } from './read-source.ts'

export type PackImport = {
  readonly folder: string
  readonly target: string
  readonly now: Date
}

const stagePrefix = '.staging-'
const abandonedAfterMs = 60 * 60 * 1_000

/**
 * Checks a folder and copies it to the folder of packs; throws `PackRejected` with all reasons. The import is atomic:
 * the files are staged, synced and renamed. A running server loads the pack within a second. The name of a pack is a
 * digest of its content, so a second import of the same folder changes nothing.
 */
export const importPack = async ({ folder, target, now }: PackImport): Promise<PackManifest> => {
  const { files, schemas } = await readSource(folder)
  const name = `pack-${digestOf(files)}`
  const manifest: PackManifest = { packVersion: 1, name, importedAt: now.toISOString(), schemas }
  await mkdir(target, { recursive: true })
  await removeAbandoned(target, now)
  const known = await findPack(target, name)
  if (known !== undefined) return known
  const stage = join(target, `${stagePrefix}${randomUUID()}`)
  try {
    const all = new Map([...files, ['manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]])
    for (const [path, bytes] of all) {
      await mkdir(join(stage, dirname(path)), { recursive: true })
      await writeFile(join(stage, path), bytes, { flush: true })
    }
    await rename(stage, join(target, name)).catch(async (error: unknown) => {
      if ((await findPack(target, name)) === undefined) throw error
    })
    await syncFolder(target)
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
  return (await findPack(target, name)) ?? manifest
}

const digestOf = (files: ReadonlyMap<string, Buffer>): string => {
  const hash = createHash('sha256')
  for (const [path, bytes] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${path}\u0000${bytes.length}\u0000`).update(bytes)
  }
  return hash.digest('hex').slice(0, 16)
}

/** A rename is durable once its folder is synced. */
const syncFolder = async (folder: string): Promise<void> => {
  await using handle = await open(folder, 'r')
  await handle.sync()
}

const removeAbandoned = async (target: string, now: Date): Promise<void> => {
  for (const name of await readdir(target)) {
    if (!name.startsWith(stagePrefix)) continue
    const facts = await stat(join(target, name)).catch(() => undefined)
    if (facts !== undefined && now.getTime() - facts.mtimeMs > abandonedAfterMs) {
      await rm(join(target, name), { recursive: true, force: true })
    }
  }
}
