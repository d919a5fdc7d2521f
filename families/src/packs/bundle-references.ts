import { because, inEnglish, type Reason } from '@millseal/contract/reasons'
import type { JsonValue } from '@millseal/proof'
import { isObject, type JsonObject } from '../certificate/read-certificate.ts'
import { textAt } from '../certificate/shown.ts'
import { mapSubSchemas } from '../registry/sub-schemas.ts'
import type { Located, OfferedDocuments } from './offered-documents.ts'

const maxDocuments = 100

export type Bundle = {
  /** Refers to nothing outside itself if there are no reasons. */
  readonly schema: JsonObject
  readonly reasons: readonly Reason[]
}

type Included = { readonly key: string; readonly json: JsonObject }

/** Copies the documents of the import that a schema refers to into its `definitions`. */
export const bundleReferences = (root: Located, documents: OfferedDocuments): Bundle => {
  const reasons = new Map<string, Reason>()
  const refuse = (reason: Reason): void => void reasons.set(inEnglish(reason), reason)
  const included = new Map<string, Included>()
  const waiting: Located[] = []
  const taken = new Set(Object.keys(definitionsOf(root.json)))
  let isChanged = false

  const include = (found: Located): Included | undefined => {
    const known = included.get(found.path)
    if (known !== undefined) return known
    if (included.size >= maxDocuments) {
      refuse(because('schema_refers_to_too_many', { most: maxDocuments }))
      return undefined
    }
    if (isNewDraft(found.json) !== isNewDraft(root.json)) {
      refuse(because('schema_refers_to_other_draft', { path: found.path }))
      return undefined
    }
    const one = { key: freeKey(new URL(found.url).pathname, taken), json: found.json }
    included.set(found.path, one)
    waiting.push(found)
    return one
  }

  const targetOf = (reference: string, from: Located): string => {
    const [address = '', fragment = ''] = reference.split('#', 2)
    const own = from === root ? '' : `/definitions/${included.get(from.path)?.key ?? ''}`
    const url = URL.parse(address, from.url)?.href
    if (address === '' || url === from.url) return `#${own}${fragment}`
    if (url === root.url) return `#${fragment}`
    const found = url === undefined ? undefined : documents.find(url, from)
    if (found === undefined) {
      refuse(because('schema_refers_outside_import', { reference: JSON.stringify(reference.slice(0, 200)) }))
      return reference
    }
    if (found.path === root.path) return `#${fragment}`
    return `#/definitions/${include(found)?.key ?? ''}${fragment}`
  }

  const rewrite = (schema: JsonObject, from: Located): JsonObject => {
    const inner = mapSubSchemas(schema, (one) => rewrite(one, from))
    const reference = schema['$ref']
    if (typeof reference !== 'string') return inner
    const $ref = targetOf(reference, from)
    isChanged ||= $ref !== reference
    return { ...inner, $ref }
  }

  const schema = rewrite(root.json, root)
  const definitions: Record<string, JsonValue> = {}
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { $id: _id, $schema: _schema, ...rest } = rewrite(next.json, next)
    definitions[included.get(next.path)?.key ?? ''] = rest
  }
  const bundled = { ...schema, definitions: { ...definitionsOf(schema), ...definitions } }
  return { schema: isChanged ? bundled : root.json, reasons: [...reasons.values()] }
}

const definitionsOf = (schema: JsonObject): JsonObject => {
  const definitions = schema['definitions']
  return isObject(definitions) ? definitions : {}
}

/** Since 2020-12 `items` means something else. A document that does not say its draft has that of the schema. */
const isNewDraft = (json: JsonObject): boolean => (textAt(json, '$schema') ?? '').includes('2020-12')

const freeKey = (path: string, taken: Set<string>): string => {
  const name = path.replace(/^\//, '').replaceAll(/[^A-Za-z0-9.-]/g, '.')
  let key = name
  for (let count = 2; taken.has(key); count += 1) key = `${name}.${count}`
  taken.add(key)
  return key
}
