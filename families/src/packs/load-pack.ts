import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { noLabels, readLabels } from '../labels/labels.ts'
import type { Picture } from '../model/document.ts'
import { readPicture } from '../pictures/read-picture.ts'
import { createEntry } from '../registry/create-entry.ts'
import type { SchemaEntry } from '../registry/schema-entry.ts'
import { type PackLayoutFile, type PackManifest, schemaPath, translationsPath } from './manifest.ts'
import { readPackJson } from './read-pack-json.ts'
import { withoutUndefined } from '../model/without-undefined.ts'

/** The layout of a pack: the source of a template, and a logo that it may use. */
export type PackLayout = {
  readonly name: string
  readonly families: readonly string[]
  readonly company?: string
  readonly source: string
  readonly logo?: Picture
}

export type LoadedPack = {
  readonly entries: readonly SchemaEntry[]
  readonly layouts: readonly PackLayout[]
}

export const loadPack = async (target: string, manifest: PackManifest): Promise<LoadedPack> => {
  const folder = join(target, manifest.name)
  const read = async (path: string) => readPackJson(await readFile(join(folder, path)))
  const entries: SchemaEntry[] = []
  for (const { type, version, urls, hasTranslations } of manifest.schemas) {
    const schema = await read(schemaPath({ type, version }))
    const labels = hasTranslations ? readLabels(await read(translationsPath({ type, version }))) : noLabels
    entries.push(createEntry({ type, version, urls, origin: 'pack', schema, labels }))
  }
  const layouts = await Promise.all(manifest.layouts.map((layout) => loadLayout(folder, layout)))
  return { entries, layouts }
}

const loadLayout = async (folder: string, layout: PackLayoutFile): Promise<PackLayout> => {
  const { name, families, company } = layout
  const source = await readFile(join(folder, 'layouts', name, 'layout.typ'), 'utf8')
  const logo = layout.logo === undefined ? undefined : await loadLogo(folder, { name, file: layout.logo })
  return withoutUndefined({ name, families, company, source, logo })
}

const loadLogo = async (
  folder: string,
  { name, file }: { name: string; file: string },
): Promise<Picture | undefined> => {
  const bytes = await readFile(join(folder, 'layouts', name, file))
  const read = readPicture(bytes.toString('base64'))
  return 'flaw' in read ? undefined : { ...read, alternative: ['Logo'] }
}
