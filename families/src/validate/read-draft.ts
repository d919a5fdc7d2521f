import type { JsonValue } from '@millseal/proof'
import type { ErrorObject } from 'ajv'
import { type Certificate, isObject, type JsonObject } from '../certificate/read-certificate.ts'
import { shown } from '../certificate/shown.ts'
import { dash } from '../model/dash.ts'
import { ValidationTooExpensive } from '../registry/meter.ts'
import type { SchemaEntry } from '../registry/schema-entry.ts'

/** Groups within groups: what is missing in a group is known once the group is there. */
const maxRounds = 8
const maxFilled = 500

/** The certificate as it could become: a dash for each value that the schema requires and that is missing. */
export const readDraft = (certificate: Certificate, { check }: SchemaEntry): Certificate => {
  const filled = new Map<string, JsonValue>()
  let { json } = certificate
  for (let round = 0; round < maxRounds && filled.size < maxFilled; round += 1) {
    const errors = errorsOf(check, json).filter(isDecided)
    const fillings = errors.flatMap((error) => fillingOf(error, filled))
    if (fillings.length === 0) break
    for (const [pointer, value] of fillings) {
      filled.set(pointer, value)
      json = filledAt(json, pointer, value)
    }
  }
  if (filled.size === 0) return certificate
  // Numbers keep their digits as submitted.
  let text = shown(certificate)
  for (const [pointer, value] of filled) text = filledAt(text, pointer, value)
  return { ...certificate, json, bytes: Buffer.from(JSON.stringify(text)) }
}

const errorsOf = (check: SchemaEntry['check'], json: JsonObject): readonly ErrorObject[] => {
  try {
    return check(json)
  } catch (error) {
    if (error instanceof ValidationTooExpensive) return []
    throw error
  }
}

/** Whether it is clear what is missing. Of alternatives it is the first one, if that asks for one value. */
const isDecided = (
  { schemaPath, instancePath }: ErrorObject,
  _at: number,
  all: readonly ErrorObject[],
): boolean => {
  if (!/\/(?:anyOf|oneOf|not|if)\//.test(schemaPath)) return true
  const isFirst = /\/(?:anyOf|oneOf)\/0\/required$/.test(schemaPath)
  const same = all.filter((other) => other.schemaPath === schemaPath && other.instancePath === instancePath)
  return isFirst && same.length === 1
}

const fillingOf = (
  error: ErrorObject,
  filled: ReadonlyMap<string, JsonValue>,
): readonly (readonly [pointer: string, value: JsonValue])[] => {
  const { keyword, instancePath } = error
  const params: Readonly<Record<string, unknown>> = error.params
  if (keyword === 'required') {
    const name = String(params['missingProperty'])
    const pointer = `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    // A document without a language is in English.
    return /languages$/i.test(name) || filled.has(pointer) ? [] : [[pointer, dash]]
  }
  if (keyword === 'type' && filled.get(instancePath) === dash) {
    const type = String(params['type'])
    if (type === 'object') return [[instancePath, {}]]
    if (type === 'array')
      return [
        [instancePath, []],
        [`${instancePath}/0`, dash],
      ]
  }
  return []
}

/** A copy with a value at a place, if the groups around the place are there. */
const filledAt = <T extends JsonValue>(root: T, pointer: string, value: JsonValue): T => {
  const [, ...parts] = pointer.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return withValue(root, parts, value) as T
}

const withValue = (root: JsonValue, [name, ...rest]: readonly string[], value: JsonValue): JsonValue => {
  if (name === undefined) return value
  if (Array.isArray(root)) {
    const at = Number(name)
    const former = root[at]
    return former === undefined && rest.length > 0
      ? root
      : root.toSpliced(at, 1, withValue(former ?? null, rest, value))
  }
  if (!isObject(root)) return root
  const former = Object.hasOwn(root, name) ? root[name] : undefined
  if (former === undefined && rest.length > 0) return root
  return { ...root, [name]: withValue(former ?? null, rest, value) }
}
