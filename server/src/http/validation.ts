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

type Check = ((data: unknown) => boolean) & Pick<ValidateFunction, 'errors'>

/** Compiled when the first request needs it: compiling all schemas takes most of the time that a server needs to start. */
export const compileFor = (httpPart: string | undefined, schema: object): Check => {
  let compiled: ValidateFunction | undefined
  const check: Check = (data) => {
    compiled ??= (httpPart === 'body' ? bodies : texts).compile(schema)
    const isValid = compiled(data)
    check.errors = compiled.errors
    return isValid
  }
  return check
}
