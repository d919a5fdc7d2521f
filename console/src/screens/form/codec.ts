import { isList, isNumber, isObject, type Json, type JsonObject, numberOf, textOf } from './json.ts'
import { readNumber, showNumber } from './numbers.ts'
import { type ObjectShape, type Schema, type Schemas, schemasAt, type Shape, shapeOf } from './schema.ts'

/** Shows a value in one field, and turns what is typed there into the value. */
export type Codec = {
  readonly kind: 'text' | 'number' | 'date' | 'choice' | 'lines' | 'image'
  readonly options?: readonly string[]
  readonly show: (value: Json | undefined, comma: boolean) => string
  /** `undefined` for an empty field. A text that is no number stays a text, so that nothing typed is lost. */
  readonly read: (text: string, before: Json | undefined) => Json | undefined
  /** The complaint of the field itself, before the server checks. */
  readonly wrong?: (value: Json) => 'number' | 'whole' | undefined
}

const asText: Codec = {
  kind: 'text',
  show: textOf,
  read: (text) => (text === '' ? undefined : text),
}

const readAsNumber = (text: string): Json | undefined => {
  if (text.trim() === '') return undefined
  const plain = readNumber(text)
  return plain === undefined ? text : numberOf(plain)
}

const numberCodec = (isWhole: boolean): Codec => ({
  kind: 'number',
  show: (value, comma) => (isNumber(value) ? showNumber(textOf(value), comma) : textOf(value)),
  read: readAsNumber,
  wrong: (value) => {
    if (isWhole) return Number.isInteger(value) ? undefined : 'whole'
    return isNumber(value) ? undefined : 'number'
  },
})

/** One entry a line. */
const lines: Codec = {
  kind: 'lines',
  show: (value) => (isList(value) ? value.map(textOf).join('\n') : textOf(value)),
  read(text) {
    // An empty last line is still being written.
    const entries = text.split('\n')
    return text === '' ? undefined : entries
  },
}

const choiceCodec = (values: readonly Json[]): Codec => ({
  kind: 'choice',
  options: values.map(textOf),
  show: textOf,
  read: (text) => values.find((value) => textOf(value) === text),
})

export const decimal = /^-?\d+(?:\.\d+)?$/
const operators = /^(<=|>=|≤|≥|<|>|=)?\s*(.*)$/s

/** A group with a value and, at most, an operator: `< 0,002`. */
const quantityCodec = (shape: ObjectShape, root: Schema): Codec | undefined => {
  if (!shape.properties.has('Value')) return undefined
  const inner = shapeOf(root, schemasAt(shape, 'Value'))
  if (inner.kind !== 'number' && inner.kind !== 'text') return undefined
  const fixed = fixedOf(root, shape)
  if ([...shape.required].some((name) => name !== 'Value' && fixed[name] === undefined)) return undefined
  const operator = shapeOf(root, schemasAt(shape, 'Operator'))
  const allowed = shape.properties.has('Operator') && operator.kind === 'choice' ? operator.values : undefined
  if (allowed === undefined && Object.keys(fixed).length === 0) return undefined
  const asNumber = inner.kind === 'number'
  return {
    kind: 'number',
    show(value, comma) {
      if (!isObject(value)) return showDecimal(textOf(value), comma)
      // A series or a range does not fit into one field.
      if (value['Value'] === undefined && Object.keys(value).length > 1) return '…'
      const sign =
        value['Operator'] === undefined || value['Operator'] === '=' ? '' : `${textOf(value['Operator'])} `
      return `${sign}${showDecimal(textOf(value['Value']), comma)}`
    },
    read(text, before) {
      const [, sign = '', rest = ''] = operators.exec(text.trim()) ?? []
      if (rest === '') return undefined
      const plain = readNumber(rest)
      const wanted = sign.replace('≤', '<=').replace('≥', '>=')
      const { Operator: _former, ...kept } = isObject(before) ? before : fixed
      const exact = asNumber && plain !== undefined ? numberOf(plain) : plain
      const Value = exact ?? rest
      return { ...kept, Value, ...(allowed?.includes(wanted) === true && { Operator: wanted }) }
    },
    wrong: (value) =>
      asNumber && isObject(value) && value['Value'] !== undefined && !isNumber(value['Value'])
        ? 'number'
        : undefined,
  }
}

const showDecimal = (text: string, comma: boolean): string =>
  decimal.test(text) ? showNumber(text, comma) : text

/** The properties with only one possible value. */
const fixedOf = (root: Schema, shape: ObjectShape): JsonObject =>
  Object.fromEntries(
    [...shape.properties].flatMap(([name, schemas]) => {
      const inner = shapeOf(root, schemas)
      const [only, ...others] = inner.kind === 'choice' ? inner.values : []
      return only !== undefined && others.length === 0 && shape.required.has(name) ? [[name, only]] : []
    }),
  )

/** A group with one measured value and its limits, unit and property. */
export const isMeasurement = (shape: Shape, root: Schema): shape is ObjectShape =>
  shape.kind === 'object' &&
  shape.properties.has('Value') &&
  shape.properties.has('Unit') &&
  [...shape.required].every((name) => name === 'Value') &&
  shapeOf(root, schemasAt(shape, 'Value')).kind === 'number'

const measurement: Codec = {
  kind: 'number',
  show: (value, comma) => (isObject(value) ? showDecimal(textOf(value['Value']), comma) : textOf(value)),
  read(text, before) {
    const Value = readAsNumber(text)
    if (Value !== undefined) return { ...(isObject(before) && before), Value }
    const { Value: _gone, ...rest } = isObject(before) ? before : {}
    return Object.keys(rest).length === 0 ? undefined : rest
  },
  wrong: (value) =>
    isObject(value) && value['Value'] !== undefined && !isNumber(value['Value']) ? 'number' : undefined,
}

/** Several measured values in one field: `61 58 64`. */
const measurements: Codec = {
  kind: 'number',
  show: (value, comma) =>
    isList(value) ? value.map((each) => measurement.show(each, comma)).join('  ') : textOf(value),
  read(text, before) {
    const texts = text.split(/[;/\s]+/).filter((each) => each !== '')
    const known = isList(before) ? before : []
    if (texts.length === 0) return undefined
    return texts.flatMap((each, at) => measurement.read(each, known[at] ?? alikeOf(known)) ?? [])
  },
  wrong: (value) =>
    isList(value)
      ? value.map((each) => measurement.wrong?.(each)).find((each) => each !== undefined)
      : undefined,
}

const alikeOf = (known: readonly Json[]): Json | undefined => {
  const [first] = known
  return isObject(first) ? first : undefined
}

/** The codec of a place that is drawn as one field; undefined if it takes several. */
export const codecOf = (root: Schema, schemas: Schemas, value?: Json): Codec | undefined => {
  if (schemas.length === 0) return asText
  const shape = quantityShape(root, schemas, value)
  switch (shape.kind) {
    case 'text':
      return shape.isImage
        ? { ...asText, kind: 'image' }
        : { ...asText, kind: shape.format === 'date' ? 'date' : 'text' }
    case 'number':
      return numberCodec(shape.isWhole)
    case 'boolean':
      return choiceCodec([true, false])
    case 'choice':
      return choiceCodec(shape.values)
    case 'object':
      return isMeasurement(shape, root) ? measurement : quantityCodec(shape, root)
    case 'list': {
      const inner = shapeOf(root, shape.items)
      if (inner.kind === 'text' && !inner.isImage) return lines
      return isMeasurement(inner, root) ? measurements : undefined
    }
    default:
      return undefined
  }
}

/** Given a plain text and a group with an operator, chooses the group. */
const quantityShape = (root: Schema, schemas: Schemas, value: Json | undefined): Shape => {
  const asObject = value === undefined ? shapeOf(root, schemas, {}) : undefined
  if (asObject?.kind === 'object' && quantityCodec(asObject, root) !== undefined) return asObject
  return shapeOf(root, schemas, value)
}
