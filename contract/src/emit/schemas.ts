import type { TSchema } from 'typebox'

export type JsonMap = { readonly [key: string]: unknown }

const isMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Schemas with a title become components; all others stay inline. */
export const createSchemaComponents = () => {
  const components = new Map<string, JsonMap>()

  const writeMap = (schema: JsonMap): JsonMap =>
    Object.fromEntries(
      Object.entries(schema)
        .filter(([key, value]) => !(key === 'additionalProperties' && value === false))
        .map(([key, value]) => [key, write(value)]),
    )

  const write = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(write)
    if (!isMap(value)) return value
    const { title, ...rest } = value
    if (typeof title !== 'string') return writeMap(value)
    const component = writeMap(rest)
    const known = components.get(title)
    if (known && JSON.stringify(known) !== JSON.stringify(component))
      throw new Error(`two different schemas have the title ${title}`)
    components.set(title, component)
    return { $ref: `#/components/schemas/${title}` }
  }

  return {
    write: (schema: TSchema | JsonMap): JsonMap => write(schema) as JsonMap,
    all: (): JsonMap =>
      // Each name is there once.
      Object.fromEntries([...components].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  }
}
export type SchemaComponents = ReturnType<typeof createSchemaComponents>
