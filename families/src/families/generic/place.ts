import type { JsonValue } from '@millseal/proof'
import { isObject, type JsonObject } from '../../certificate/read-certificate.ts'
import { textAt, textsAt } from '../../certificate/shown.ts'
import { splitName } from '../../labels/labels.ts'
import type { Text } from '../../model/document.ts'
import { escapePointer } from '../../registry/sub-schemas.ts'
import { joinText } from '../../mapping/blocks.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { describedBy, schemasOf } from './schema-lookup.ts'

const maxLabelLength = 48
const maxTextLength = 4_000

/** A value in the certificate, with the schemas that describe it. */
export type Place = {
  readonly name: string
  readonly value: JsonValue
  readonly schemas: readonly JsonObject[]
  readonly pointer: string
}

export type Walk = { readonly mapping: Mapping; readonly root: JsonObject }

export const childrenOf = ({ root }: Walk, place: Place): readonly Place[] =>
  isObject(place.value)
    ? Object.entries(place.value).map(([name, value]) => ({
        name,
        value,
        schemas: schemasOf(root, place.schemas, name),
        pointer: `${place.pointer}/${escapePointer(name)}`,
      }))
    : []

export const elementsOf = ({ root }: Walk, place: Place): readonly Place[] =>
  (Array.isArray(place.value) ? place.value : []).map((value, index) => ({
    name: String(index + 1),
    value,
    schemas: schemasOf(root, place.schemas, undefined),
    pointer: `${place.pointer}/${index}`,
  }))

/** The imported label, else the title or short description in the schema, else the key in words. */
export const labelOf = ({ mapping, root }: Walk, { name, schemas }: Place): Text => {
  if (mapping.hasLabel(name)) return mapping.label(name)
  const { title, description } = describedBy(root, schemas)
  const short = description !== undefined && description.length <= maxLabelLength ? description : undefined
  return [title ?? short ?? splitName(name)]
}

/** The text of a value that fits into a field: a text, a number, a boolean, or an array of those. */
export const scalarText = ({ mapping }: Walk, value: JsonValue): string | undefined => {
  if (typeof value === 'boolean') return mapping.label(value ? 'Yes' : 'No').join(' / ')
  if (Array.isArray(value)) {
    const isPlain = value.length > 0 && value.every((element) => textAt(element) !== undefined)
    return isPlain ? joinText(textsAt(value), ', ') : undefined
  }
  const text = textAt(value)
  if (text === undefined || isEncodedPicture(text)) return undefined
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)} …` : text
}

export const isEncodedPicture = (value: JsonValue): boolean =>
  typeof value === 'string' && /^data:image\//i.test(value)

export const isBlank = (value: JsonValue): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)
