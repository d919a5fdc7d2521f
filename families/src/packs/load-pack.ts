import { noLabels, readLabels } from '../labels/labels.ts'
import { createEntry } from '../registry/create-entry.ts'
import type { SchemaEntry } from '../registry/schema-entry.ts'
import { type PackManifest, type PackSchema, schemaPath, translationsPath } from './manifest.ts'
import { inPack, type PackFiles } from './pack-files.ts'
import { readPackJson } from './read-pack-json.ts'

/** The entries of a pack, or the error if it is damaged. Rejects only if the files cannot be read now. */
export const loadPack = async (
  files: PackFiles,
  { name, schemas }: PackManifest,
): Promise<readonly SchemaEntry[] | Error> => {
  const read = (path: string) => files.read(inPack(name, path))
  const entries: SchemaEntry[] = []
  for (const schema of schemas) {
    const [content, translations] = await Promise.all([
      read(schemaPath(schema)),
      schema.hasTranslations ? read(translationsPath(schema)) : undefined,
    ])
    try {
      entries.push(entryOf(schema, { content, translations }))
    } catch (cause) {
      return new Error(`${schemaPath(schema)} cannot be used`, { cause })
    }
  }
  return entries
}

const entryOf = (
  { type, version, urls, hasTranslations }: PackSchema,
  {
    content,
    translations,
  }: { readonly content: Buffer | undefined; readonly translations: Buffer | undefined },
): SchemaEntry => {
  const labels = hasTranslations ? readLabels(readPackJson(present(translations))) : noLabels
  return createEntry({ type, version, urls, origin: 'pack', schema: readPackJson(present(content)), labels })
}

const present = (bytes: Buffer | undefined): Buffer => {
  if (bytes === undefined) throw new TypeError('a file is missing')
  return bytes
}
