import { open, readFile, rename } from 'node:fs/promises'
import { readJson } from '@millseal/proof'

/** What `log watch` remembers: the newest checkpoint that it verified, and with which key. */
export type WatchState = { readonly key: string; readonly checkpoint: string }

const maxDepth = 4

/** Undefined if there is no such file yet. */
export const readState = async (path: string): Promise<WatchState | undefined> => {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  if (bytes === undefined) return undefined
  const json = readStateJson(bytes)
  if (json === undefined) throw new Error(`${path} is not a state file of millseal log watch`)
  return json
}

const readStateJson = (bytes: Uint8Array): WatchState | undefined => {
  try {
    const json = readJson(bytes, { maxDepth })
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined
    const { key, checkpoint } = json
    return typeof key === 'string' && typeof checkpoint === 'string' ? { key, checkpoint } : undefined
  } catch {
    return undefined
  }
}

/** Replaces the file at once, so that a crash leaves the old state or the new one. */
export const writeState = async (path: string, state: WatchState): Promise<void> => {
  const next = `${path}.${process.pid}.new`
  const file = await open(next, 'w')
  try {
    await file.writeFile(`${JSON.stringify(state, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(next, path)
}
