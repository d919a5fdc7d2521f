import type { JsonValue } from '@millseal/proof'
import { at, entriesAt, textAt, textsAt } from '../../certificate/shown.ts'
import { isObject } from '../../certificate/read-certificate.ts'
import type { Block, Field, Text } from '../../model/document.ts'
import { field, fieldsBlock, joinText } from '../../mapping/blocks.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { limitsText, measurementAt } from './measurement.ts'
import { statementFields, statementPictures, statementsAt } from './statements.ts'

const norms = ['SteelDesignation', 'ProductNorm', 'MaterialNorm', 'MassNorm']

export const productBlocks = (mapping: Mapping, product: JsonValue | undefined): readonly Block[] => {
  const statements = statementsAt(product, 'SupplementaryInformation')
  const plain = (code: string): readonly Field[] =>
    field(mapping.label(code), joinText(textsAt(product, code), ', '), { code })
  return [
    ...fieldsBlock([
      ...plain('B01'),
      ...specification(mapping, product),
      ...['B03', 'B04', 'B05', 'B06', 'B07', 'B08'].flatMap(plain),
      ...shape(mapping, at(product, 'B09')),
      ...['B10', 'B11', 'B12', 'B13'].flatMap((code) => measured(mapping, product, code)),
      ...statementFields(statements),
    ]),
    ...statementPictures(mapping, {
      statements,
      pointer: '/Certificate/ProductDescription/SupplementaryInformation',
    }),
  ]
}

const specification = (mapping: Mapping, product: JsonValue | undefined): readonly Field[] =>
  isObject(at(product, 'B02'))
    ? norms.flatMap((name) =>
        field(mapping.label(name), joinText(textsAt(product, 'B02', name), ', '), { code: 'B02' }),
      )
    : field(mapping.label('B02'), textAt(product, 'B02'), { code: 'B02' })

const shape = (mapping: Mapping, value: JsonValue | undefined): readonly Field[] => {
  const form = textAt(value, 'Form')
  const unit = textAt(value, 'Unit')
  const dimensions = entriesAt(value).filter(([name]) => !['Form', 'Unit', 'Description'].includes(name))
  return [
    ...(form === undefined
      ? []
      : field(mapping.label('Form'), mapping.label(form).join(' / '), { code: 'B09' })),
    ...dimensions.flatMap(([name, size]) => field(mapping.label(name), textAt(size), { unit, code: 'B09' })),
    ...field(mapping.label('Description'), textAt(value, 'Description'), { code: 'B09' }),
  ]
}

const measured = (mapping: Mapping, product: JsonValue | undefined, code: string): readonly Field[] => {
  const value = measurementAt(product, code)
  const limits = limitsText(value)
  const text = joinText([value.value, limits === undefined ? undefined : `(${limits})`])
  return field(namedLabel(mapping, { code, property: value.property }), text, { unit: value.unit, code })
}

/** Our label, followed by the name that the issuer gave the dimension. B11 has only the name of the issuer. */
const namedLabel = (
  mapping: Mapping,
  { code, property }: { code: string; property: string | undefined },
): Text => {
  const label = mapping.label(code)
  if (property === undefined || label.some((text) => text.toLowerCase() === property.toLowerCase()))
    return label
  return code === 'B11'
    ? [property]
    : label.map((text, index) => (index === 0 ? `${text} · ${property}` : text))
}
