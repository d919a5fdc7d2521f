type Schema = {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly minimum?: number
  readonly minItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
}

const byFormat: Readonly<Record<string, string>> = {
  uuid: '0198c0de-0000-7000-8000-00000000ffff',
  email: 'sample@example.com',
  uri: 'https://example.com/hook',
  'date-time': '2026-01-01T00:00:00.000Z',
}

const byPattern: Readonly<Record<string, string>> = { '^[0-9]{6}$': '000000', '^[A-Z]{2}$': 'AT' }

/** A value that conforms to a request schema, with required properties only. */
export const sampleOf = (schema: unknown): unknown => {
  const { type, enum: values, anyOf, ...rest } = schema as Schema
  if (values !== undefined) return values[0]
  if (anyOf !== undefined) return sampleOf(anyOf[0])
  if (type === 'object') {
    const required = rest.required ?? []
    return Object.fromEntries(required.map((name) => [name, sampleOf(rest.properties?.[name])]))
  }
  if (type === 'array') return Array.from({ length: rest.minItems ?? 0 }, () => sampleOf(rest.items))
  if (type === 'integer' || type === 'number') return rest.minimum ?? 0
  if (type === 'boolean') return false
  return (
    byFormat[rest.format ?? ''] ??
    byPattern[rest.pattern ?? ''] ??
    'sample-text'.padEnd(rest.minLength ?? 0, 'x')
  )
}
