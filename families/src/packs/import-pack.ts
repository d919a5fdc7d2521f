import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkOffer, type Progress } from './check-offer.ts'
import { findPack } from './list-packs.ts'
import { type PackManifest, packNamePattern, type PackReport } from './manifest.ts'
import { type PackOffer, readOffer } from './offer/read-offer.ts'

export type PackImport = {
  readonly offer: PackOffer
  readonly target: string
  readonly now: Date
  /** Called before each schema is checked. */
  readonly onProgress?: (progress: Progress) => void
}

const stagePrefix = '.staging-'
const abandonedAfterMs = 60 * 60 * 1_000

/**
 * Checks a folder or archive and copies what can be used to the folder of packs. Throws `PackRejected` if nothing can.
 * The import is atomic: the files are staged, synced and renamed. A running server loads the pack within a second. The
 * name of a pack is a digest of its content, so a second import of the same schemas changes nothing.
 */
export const importPack = async (wanted: PackImport): Promise<PackReport> => {
  const { offer, target, now, onProgress = () => undefined } = wanted
  const { files, schemas, refused } = await checkOffer(await readOffer(offer), onProgress)
  const name = `pack-${digestOf(files)}`
  const manifest: PackManifest = { packVersion: 1, name, importedAt: now.toISOString(), schemas }
  return { pack: await store({ files, manifest, target, now }), refused }
}

/** Deletes a pack. False if there is none with this name. */
export const removePack = async ({
  name,
  target,
}: {
  readonly name: string
  readonly target: string
}): Promise<boolean> => {
  if (!packNamePattern.test(name) || (await findPack(target, name)) === undefined) return false
  const removed = join(target, `${stagePrefix}${randomUUID()}`)
  await rename(join(target, name), removed)
  await syncFolder(target)
  await rm(removed, { recursive: true, force: true })
  return true
}

type Storing = Pick<PackImport, 'target' | 'now'> & {
  readonly files: ReadonlyMap<string, Buffer>
  readonly manifest: PackManifest
}

const store = async ({ files, manifest, target, now }: Storing): Promise<PackManifest> => {
  const { name } = manifest
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
