import { because, type Reason, type ReasonValue } from '@millseal/contract/reasons'
import type { JsonObject } from '../certificate/read-certificate.ts'
import { compileSchema } from '../registry/compile-schema.ts'
import { lintSchema } from '../registry/lint-schema.ts'
import { publishedBases } from '../registry/schema-url.ts'
import { bundleReferences } from './bundle-references.ts'
import { reasonOf } from './file-unusable.ts'
import type { PackSchema } from './manifest.ts'
import type { OfferedFiles } from './offer/collector.ts'
import type { OfferedDocuments } from './offered-documents.ts'
import { readLabelFiles } from './read-labels.ts'
import { nameOf } from './schema-name.ts'

export type CheckedSchema = {
  readonly facts: PackSchema
  readonly schema: Buffer
  readonly labels: Buffer | undefined
}

const maxReasons = 5

/** Reads and checks one `schema.json`. Returns the reasons if it cannot be imported. */
export const readPackSchema = (
  path: string,
  offered: OfferedFiles,
  documents: OfferedDocuments,
): CheckedSchema | readonly Reason[] => {
  try {
    const json = documents.at(path) ?? {}
    const name = nameOf(path, json, documents)
    if ('code' in name) return shorten([name])
    const { type, version, id } = name
    const { schema, reasons } = bundleReferences({ path, url: id, json }, documents)
    const flaws = [...reasons, ...(reasons.length > 0 ? [] : check(schema))]
    if (flaws.length > 0) return shorten(flaws)
    const labels = readLabelFiles(path, offered, documents)
    return {
      facts: { type, version, id, urls: urlsOf(id), hasTranslations: labels !== undefined },
      schema: bytesOf(path, offered, { json, schema, id }),
      labels,
    }
  } catch (error) {
    if (error instanceof TypeError) return shorten([reasonOf(error)])
    throw error
  }
}

const check = (schema: JsonObject): readonly Reason[] => {
  const reasons = lintSchema(schema)
  return reasons.length > 0 ? reasons : checkByCompiling(schema)
}

const checkByCompiling = (schema: JsonObject): readonly Reason[] => {
  try {
    compileSchema(schema)
    return []
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 300) : 'unknown reason'
    return [because('schema_not_compiled', { why })]
  }
}

/** Reasons quote the file, and are printed on terminals. */
const shorten = (reasons: readonly Reason[]): readonly Reason[] => [
  ...reasons.slice(0, maxReasons).map(printable),
  ...(reasons.length > maxReasons ? [because('and_more', { count: reasons.length - maxReasons })] : []),
]

const printable = ({ code, values }: Reason): Reason => ({
  code,
  values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, printableValue(value)])),
})

const printableValue = (value: ReasonValue): ReasonValue => {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? value.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ' ') : printable(value)
}

/** Byte for byte as offered, unless definitions or the name were added. */
const bytesOf = (
  path: string,
  { files }: OfferedFiles,
  { json, schema, id }: { readonly json: JsonObject; readonly schema: JsonObject; readonly id: string },
): Buffer => {
  const original = files.get(path)
  return original !== undefined && schema === json && json['$id'] === id
    ? original
    : Buffer.from(JSON.stringify({ ...schema, $id: id }))
}

/** The published schemas have moved twice; certificates use all three addresses. */
const urlsOf = (id: string): readonly string[] => {
  const base = publishedBases.find((known) => id.startsWith(`${known}/`))
  if (base === undefined) return [id]
  const path = id.slice(base.length)
  return [id, ...publishedBases.filter((known) => known !== base).map((known) => `${known}${path}`)]
}
