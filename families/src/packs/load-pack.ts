import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { noLabels, readLabels } from '../labels/labels.ts'
import { createEntry } from '../registry/create-entry.ts'
import type { SchemaEntry } from '../registry/schema-entry.ts'
import { type PackManifest, schemaPath, translationsPath } from './manifest.ts'
import { readPackJson } from './read-pack-json.ts'

export const loadPack = async (target: string, manifest: PackManifest): Promise<readonly SchemaEntry[]> => {
  const folder = join(target, manifest.name)
  const read = async (path: string) => readPackJson(await readFile(join(folder, path)))
  const entries: SchemaEntry[] = []
  for (const { type, version, urls, hasTranslations } of manifest.schemas) {
    const schema = await read(schemaPath({ type, version }))
    const labels = hasTranslations ? readLabels(await read(translationsPath({ type, version }))) : noLabels
    entries.push(createEntry({ type, version, urls, origin: 'pack', schema, labels }))
  }
  return entries
}
