import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import type { JsonValue } from '@millseal/proof'
import { isObject, type JsonObject } from '../certificate/read-certificate.ts'

/** Leaves of alternatives that all fail only the errors of those that fit best. Needs errors that are complete and verbose. */
export const createChooser = (ajv: Ajv, schema: JsonObject) => {
  const key = 'alternatives'
  ajv.addSchema(schema, key)
  let places: ReadonlyMap<unknown, string> | undefined
  const branchesOf = ({ schema: alternatives }: ErrorObject): readonly ValidateFunction[] => {
    places ??= new Map(placesOf(schema, ''))
    const place = places.get(alternatives)
    if (place === undefined || !Array.isArray(alternatives)) return []
    return alternatives.flatMap((_one, at) => ajv.getSchema(`${key}#${place}/${at}`) ?? [])
  }

  /** The errors of alternatives come directly before the error that says that none of them fits. */
  const choose = (errors: readonly ErrorObject[]): readonly ErrorObject[] => {
    const chosen: ErrorObject[] = []
    for (let at = errors.length - 1; at >= 0; at -= 1) {
      const error = errors[at]
      if (error === undefined) break
      const failed = haveFailed(error)
        ? branchesOf(error).map((branch, index) => run(branch, error, index))
        : []
      const count = failed.reduce((sum, own) => sum + own.length, 0)
      if (count === 0 || count > at) chosen.unshift(error)
      else {
        chosen.unshift(...bestOf(failed, error).flatMap(choose))
        at -= count
      }
    }
    return chosen
  }
  return choose
}

const placesOf = (value: JsonValue, place: string): readonly (readonly [JsonValue, string])[] => {
  if (Array.isArray(value))
    return [[value, place], ...value.flatMap((each, at) => placesOf(each, `${place}/${at}`))]
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, each]) => placesOf(each, `${place}/${inPointer(name)}`))
}

const inPointer = (name: string): string =>
  encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Not that several of `oneOf` fit. */
const haveFailed = ({ keyword, params }: ErrorObject): boolean =>
  keyword === 'anyOf' || (keyword === 'oneOf' && params['passingSchemas'] === null)

const run = (branch: ValidateFunction, { data, instancePath, schemaPath }: ErrorObject, index: number) => {
  branch(data)
  return (branch.errors ?? []).map((error) => ({
    ...error,
    instancePath: `${instancePath}${error.instancePath}`,
    schemaPath: `${schemaPath}/${index}${error.schemaPath.replace('#', '')}`,
  }))
}

/** Those with the least against them. */
const bestOf = (
  failed: readonly (readonly ErrorObject[])[],
  { instancePath }: ErrorObject,
): readonly (readonly ErrorObject[])[] => {
  const scores = failed.map((errors) =>
    errors.reduce(
      (sum, error) => sum + weightOf(error, depthOf(error.instancePath) - depthOf(instancePath)),
      0,
    ),
  )
  const least = Math.min(...scores)
  return failed.filter((_errors, at) => scores[at] === least)
}

const depthOf = (pointer: string): number => pointer.split('/').length

/** Another type, or another value of the field that says which alternative is meant, weighs more than what is in it. */
const weightOf = ({ keyword }: ErrorObject, depth: number): number => {
  if (depth === 0 && keyword === 'type') return 1_000_000
  return depth === 1 && (keyword === 'const' || keyword === 'enum') ? 1_000 : 1
}
