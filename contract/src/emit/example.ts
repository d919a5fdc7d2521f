import type { TSchema } from 'typebox'

type Schema = TSchema & {
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly anyOf?: readonly Schema[]
  readonly type?: string
  readonly format?: string
  readonly minimum?: number
  readonly minLength?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

const byFormat: Readonly<Record<string, string>> = {
  uuid: '01a1fd83-0cf3-7aca-bf41-5a675b056c15',
  email: 'quality@mill.example',
  uri: 'https://mill.example/hook',
  'date-time': '2026-11-29T12:00:00.000Z',
  date: '2026-11-29',
}

/** A small value that the schema accepts: of an object, only what it requires. A text is its own name. */
export const exampleOf = (given: TSchema, name = 'value'): unknown => {
  const schema: Schema = given
  const chosen = [schema.const, schema.examples?.[0], schema.default, schema.enum?.[0]].find(
    (value) => value !== undefined,
  )
  if (chosen !== undefined) return chosen
  const [variant] = schema.anyOf ?? []
  if (variant !== undefined) return exampleOf(variant, name)
  if (schema.type === 'object') return exampleOfObject(schema)
  if (schema.type === 'array') return schema.items === undefined ? [] : [exampleOf(schema.items, name)]
  if (schema.type === 'string')
    return byFormat[schema.format ?? ''] ?? name.padEnd(schema.minLength ?? 1, '…')
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  return schema.type === 'boolean' ? true : {}
}

const exampleOfObject = ({ properties = {}, required = [] }: Schema): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, property]) => [name, exampleOf(property, name)]),
  )
