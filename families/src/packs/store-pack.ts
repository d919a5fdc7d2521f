import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CheckedPack } from './check-pack.ts'
import { findPack } from './list-packs.ts'
import { type PackManifest, packNamePattern } from './manifest.ts'

const stagePrefix = '.staging-'
const abandonedAfterMs = 60 * 60 * 1_000

/**
 * Stores a checked pack atomically: the files are staged, synced and renamed. A running server loads the pack within a
 * second. The name of a pack is a digest of its content, so a second import of the same schemas changes nothing.
 */
export const storePack = async (
  { name, files, schemas }: CheckedPack,
  { target, now }: { readonly target: string; readonly now: Date },
): Promise<PackManifest> => {
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

export const removePack = async (name: string, target: string): Promise<boolean> => {
  if (!packNamePattern.test(name) || (await findPack(target, name)) === undefined) return false
  const removed = join(target, `${stagePrefix}${randomUUID()}`)
  const isRemoved = await rename(join(target, name), removed).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
  await syncFolder(target)
  await rm(removed, { recursive: true, force: true })
  return isRemoved
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
