import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

/**
 * Bodies are taken as they are: "1" is not 1. Queries and paths are always text, so there a number may be written as
 * one. All violations are reported at once; every array in a request shape is bounded, so the list is too.
 */
const options = { allErrors: true, removeAdditional: true, useDefaults: true, strict: false } as const
const bodies = new Ajv({ ...options, coerceTypes: false })
const texts = new Ajv({ ...options, coerceTypes: true })
addFormats.default(bodies)
addFormats.default(texts)

export const compileFor = (httpPart: string | undefined, schema: object): ValidateFunction =>
  (httpPart === 'body' ? bodies : texts).compile(schema)
