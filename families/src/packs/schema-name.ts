import { because, type Reason } from '@millseal/contract/reasons'
import type { JsonObject } from '../certificate/read-certificate.ts'
import { textAt } from '../certificate/shown.ts'
import { ownBase, parseSchemaUrl, publishedBases } from '../registry/schema-url.ts'
import type { OfferedDocuments } from './offered-documents.ts'

export type SchemaName = { readonly type: string; readonly version: string; readonly id: string }

type Place = { readonly family: string; readonly version: string }

/** `schemas/EN10168/v0.5.0/schema.json`, `Forestry/Source/v0.0.1/schema.json` */
const versionFolder =
  /(?:^|\/)(?<family>[^/]+)\/v(?<version>\d{1,4}\.\d{1,4}\.\d{1,4}(?:-\d{1,4})?)\/schema\.json$/

/**
 * The name of a schema: its `$id`, or what its folders or the `package.json` beside it say. Returns the reason if there
 * is no name, or if `$id` and folders contradict each other.
 */
export const nameOf = (
  path: string,
  schema: JsonObject,
  documents: OfferedDocuments,
): SchemaName | Reason => {
  const id = textAt(schema, '$id')?.replace(/#$/, '')
  const place = placeOf(path)
  const named = id === undefined ? undefined : parseSchemaUrl(id)
  if (id !== undefined && named !== undefined) {
    if (id.startsWith(`${ownBase}/`)) {
      return because('schema_id_reserved')
    }
    return place === undefined || agrees(place, named)
      ? { ...named, id }
      : because('schema_id_contradicts_folder', {
          type: named.type,
          version: named.version,
          family: place.family,
          folderVersion: place.version,
        })
  }
  return nameWithoutId(id, place ?? packageOf(path, documents))
}

const placeOf = (path: string): Place | undefined => {
  const { family, version } = versionFolder.exec(path)?.groups ?? {}
  return family === undefined || version === undefined ? undefined : { family, version }
}

/** Folders of published repositories have other spellings: `EN10168`, `ForestrySource`, `Forestry/Source`. */
const agrees = ({ family, version }: Place, named: { type: string; version: string }): boolean =>
  version === named.version && plain(named.type).endsWith(plain(family))

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/-schemas$/, '')
    .replaceAll(/[^a-z0-9]/g, '')

const packageOf = (path: string, documents: OfferedDocuments): Place | undefined => {
  const found = readPackage(path.replace(/[^/]*$/, 'package.json'), documents)
  const [family, version] = [textAt(found ?? {}, 'name'), textAt(found ?? {}, 'version')]
  return family === undefined || version === undefined ? undefined : { family, version }
}

const readPackage = (path: string, documents: OfferedDocuments): JsonObject | undefined => {
  try {
    return documents.at(path)
  } catch {
    return undefined
  }
}

const nameWithoutId = (id: string | undefined, place: Place | undefined): SchemaName | Reason => {
  const base = id === undefined ? publishedBases.at(-1) : URL.parse(id)?.origin
  const type = `${place?.family.toLowerCase().replace(/-schemas$/, '')}-schemas`
  const named = `${base}/${type}/v${place?.version}/schema.json`
  const parsed = place === undefined ? undefined : parseSchemaUrl(named)
  return parsed === undefined ? because('schema_id_malformed') : { ...parsed, id: named }
}
