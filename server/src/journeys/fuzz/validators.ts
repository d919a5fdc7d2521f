import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { Api, Schema } from './read-api.ts'

export type Validators = {
  readonly ofRequests: (schema: Schema) => ValidateFunction
  readonly ofAnswers: (schema: Schema) => ValidateFunction
}

/** An answer must have exactly the properties of its schema; a request may have others. */
export const createValidators = ({ components }: Api): Validators => ({
  ofRequests: compileWith(components),
  ofAnswers: compileWith(close(components) as Schema, close),
})

const compileWith = (components: Schema, prepare: (schema: unknown) => unknown = (schema) => schema) => {
  const ajv = new Ajv({ strict: false, allErrors: false })
  addFormats.default(ajv)
  const compiled = new Map<Schema, ValidateFunction>()
  return (schema: Schema): ValidateFunction => {
    const known = compiled.get(schema)
    if (known !== undefined) return known
    const validate = ajv.compile({ ...(prepare(schema) as Schema), components })
    compiled.set(schema, validate)
    return validate
  }
}

const close = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(close)
  if (typeof value !== 'object' || value === null) return value
  const closed = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, close(inner)]))
  const isOpen = 'properties' in value && !('additionalProperties' in value) && 'type' in value
  return isOpen ? { ...closed, additionalProperties: false } : closed
}
