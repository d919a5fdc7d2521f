import type { JsonObject } from '../certificate/read-certificate.ts'
import { textAt } from '../certificate/shown.ts'
import { compileSchema } from '../registry/compile-schema.ts'
import { lintSchema } from '../registry/lint-schema.ts'
import { ownBase, parseSchemaUrl, publishedBases } from '../registry/schema-url.ts'
import { type PackSchema, schemaPath, translationsPath } from './manifest.ts'
import type { Reading } from './reading.ts'

type Place = { readonly type: string; readonly version: string }

export const readPackSchema = async (reading: Reading, place: Place): Promise<readonly PackSchema[]> => {
  const path = schemaPath(place)
  const bytes = await reading.file(path)
  if (bytes === undefined) {
    reading.reject(`${path} is missing`)
    return []
  }
  const schema = reading.json(path, bytes)
  if (schema === undefined) return []
  const reasons = [...checkName(schema, place), ...lintSchema(schema)]
  const flaws = reasons.length > 0 ? reasons : checkByCompiling(schema)
  flaws.forEach((reason) => reading.reject(`${path}: ${reason}`))
  if (flaws.length > 0) return []
  reading.store(path, bytes)
  const id = textAt(schema, '$id') ?? ''
  return [{ ...place, id, urls: urlsOf(id), hasTranslations: await readTranslations(reading, place) }]
}

const readTranslations = async (reading: Reading, place: Place): Promise<boolean> => {
  const path = translationsPath(place)
  const bytes = await reading.file(path)
  if (bytes === undefined || reading.json(path, bytes) === undefined) return false
  reading.store(path, bytes)
  return true
}

const checkName = (schema: JsonObject, place: Place): readonly string[] => {
  const id = schema['$id']
  const named = typeof id === 'string' ? parseSchemaUrl(id) : undefined
  if (typeof id !== 'string' || named === undefined) {
    return ['$id must end with /<type>-schemas/v<version>/schema.json']
  }
  return [
    ...(named.type === place.type && named.version === place.version
      ? []
      : [`$id says ${named.type} ${named.version}, the folder says ${place.type} ${place.version}`]),
    ...(id.startsWith(`${ownBase}/`)
      ? ['$id begins with an address that is reserved for the schemas of Millseal']
      : []),
  ]
}

const checkByCompiling = (schema: JsonObject): readonly string[] => {
  try {
    compileSchema(schema)
    return []
  } catch (error) {
    return [`does not compile: ${error instanceof Error ? error.message.slice(0, 300) : 'unknown reason'}`]
  }
}

/** The published schemas have moved twice; certificates use all three addresses. */
const urlsOf = (id: string): readonly string[] => {
  const base = publishedBases.find((known) => id.startsWith(`${known}/`))
  if (base === undefined) return [id]
  const path = id.slice(base.length)
  return [id, ...publishedBases.filter((known) => known !== base).map((known) => `${known}${path}`)]
}
