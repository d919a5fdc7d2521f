import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

/**
 * Types are converted in queries and paths, which are always text, and never in bodies. All violations are reported at
 * once; the list is bounded because every array in a request schema is.
 */
const options = { allErrors: true, removeAdditional: true, useDefaults: true, strict: false } as const
const bodies = new Ajv({ ...options, coerceTypes: false })
const texts = new Ajv({ ...options, coerceTypes: true })
addFormats.default(bodies)
addFormats.default(texts)

export const compileFor = (httpPart: string | undefined, schema: object): ValidateFunction =>
  (httpPart === 'body' ? bodies : texts).compile(schema)
