import type { JsonValue } from '@millseal/proof'
import { at, entriesAt, listAt, textAt, textsAt } from '../../certificate/shown.ts'
import type { Block, Field } from '../../model/document.ts'
import { field, fieldsBlock, headed, joinText } from '../../mapping/blocks.ts'
import type { Mapping } from '../../mapping/mapping.ts'

const maxDepth = 8

/** A heading and the properties for each object; nested objects follow their parent. */
export const objectBlocks = (mapping: Mapping, objects: readonly JsonValue[], depth = 0): readonly Block[] =>
  depth > maxDepth
    ? []
    : objects.flatMap((object) => {
        const title = joinText([textAt(object, 'ObjectId'), textAt(object, 'ObjectName')], ' · ')
        return [
          ...headed([title ?? ''], fieldsBlock(objectFields(mapping, object))),
          ...objectBlocks(mapping, listAt(object, 'AdditionalObjects'), depth + 1),
        ]
      })

const objectFields = (mapping: Mapping, object: JsonValue): readonly Field[] => {
  const kind = textAt(object, 'ObjectType')
  const amounts = listAt(object, 'Quantities').map((quantity) =>
    joinText([textAt(quantity, 'Amount'), textAt(quantity, 'Unit')]),
  )
  return [
    ...(kind === undefined ? [] : field(mapping.label('ObjectType'), mapping.label(kind).join(' / '))),
    ...field(mapping.label('Quantities'), joinText(amounts, ', ')),
    ...listAt(object, 'Dimensions').flatMap((dimension) =>
      field(mapping.label(textAt(dimension, 'Direction') ?? 'Dimensions'), textAt(dimension, 'DimValue'), {
        unit: textAt(dimension, 'DimUnit'),
      }),
    ),
    ...properties(mapping, object),
    ...field(mapping.label('NormativeRef'), joinText(textsAt(object, 'NormativeRef'), ', ')),
    ...listAt(object, 'SerialNr').flatMap((serial) =>
      entriesAt(serial).flatMap(([name, value]) => field(mapping.label(name), textAt(value))),
    ),
    ...listAt(object, 'AdditionalObjectProperties').flatMap((property) =>
      field([textAt(property, 'Name') ?? '–'], joinText(textsAt(property, 'Value'), ' – '), {
        unit: textAt(property, 'Unit'),
      }),
    ),
    ...field(
      mapping.label('RefCoC'),
      joinText([textAt(object, 'RefCoC', 'RefCocId'), textAt(at(object, 'RefCoC'), 'RefUrl')], ', '),
    ),
  ]
}

/** A name that occurs more than once becomes one field with all its different values. */
const properties = (mapping: Mapping, object: JsonValue): readonly Field[] => {
  const values = new Map<string, Set<string>>()
  for (const property of listAt(object, 'ObjectProperties')) {
    const name = textAt(property, 'Name') ?? 'Other'
    const known = values.get(name) ?? new Set()
    textsAt(property, 'Value').forEach((value) => known.add(value))
    values.set(name, known)
  }
  return [...values].flatMap(([name, texts]) => field(mapping.label(name), joinText([...texts], ', ')))
}
