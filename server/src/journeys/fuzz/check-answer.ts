import type { ValidateFunction } from 'ajv'
import type { ApiOperation, Schema } from './read-api.ts'

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

type Expected = {
  readonly operation: ApiOperation
  /** Whether an answer conforms to its schema and contains nothing undeclared. */
  readonly validatorOf: (schema: Schema) => ValidateFunction
  /** Why it must not succeed. */
  readonly wrong?: string | undefined
}

/** Statuses that any operation can return. */
const plumbing = [414]
const insides = /node_modules|\/src\/\w|node:internal|at \w+ \(|SELECT .* FROM|ECONNREFUSED/

/** Everything in an answer that the document does not allow. */
export const faultsOf = (answer: Answer, expected: Expected): readonly string[] => {
  const { operation, wrong } = expected
  const { status } = answer
  if (status >= 500) return [`status ${status}`]
  const faults: string[] = []
  if (status < 400 && wrong !== undefined) faults.push(`accepted although ${wrong}`)
  if (!operation.answers.has(status) && !plumbing.includes(status))
    faults.push(`undocumented status ${status}`)
  const type = contentTypeOf(answer)
  if (status >= 400) faults.push(...faultsOfError(answer, type))
  else faults.push(...faultsOfContent(answer, type, expected))
  faults.push(...faultsOfHeaders(answer, operation))
  if (type !== 'text/html' && type !== 'application/pdf' && insides.test(answer.body.toString('latin1')))
    faults.push('shows its insides')
  return faults
}

const contentTypeOf = ({ headers }: Answer): string =>
  String(headers['content-type'] ?? '')
    .split(';', 1)[0]
    ?.trim() ?? ''

const parse = ({ body }: Answer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

const errorFields = ['statusCode', 'path', 'method', 'timestamp', 'message', 'name', 'details']

const isFilled = (list: unknown): boolean => Array.isArray(list) && list.length > 0

const faultsOfError = (answer: Answer, type: string): string[] => {
  if (type !== 'application/json') return [`an error as ${type || 'nothing'}`]
  const error = parse(answer)
  if (typeof error !== 'object' || error === null) return ['an error that is no object']
  const fields = Object.keys(error)
  const { statusCode, details, timestamp, reasons = [] } = error as Record<string, unknown>
  const expected = isFilled(details) ? [...errorFields, 'reasons'] : errorFields
  if (fields.toSorted().join() !== expected.toSorted().join())
    return [`an error of the fields ${fields.join()}`]
  if (statusCode !== answer.status) return [`statusCode ${String(statusCode)} with status ${answer.status}`]
  if (!Array.isArray(details) || details.some((detail) => typeof detail !== 'string')) return ['odd details']
  if (!Array.isArray(reasons) || reasons.length !== details.length) return ['details without their reasons']
  return Number.isNaN(Date.parse(String(timestamp))) ? ['an odd timestamp'] : []
}

const faultsOfContent = (answer: Answer, type: string, { operation, validatorOf }: Expected): string[] => {
  const shape = operation.answers.get(answer.status)
  if (shape === undefined || shape.schemas.size === 0) return []
  if (!shape.schemas.has(type)) return [`undocumented content type ${type || 'none'}`]
  const schema = shape.schemas.get(type)
  if (type !== 'application/json' || schema === undefined) return []
  const isValid = validatorOf(schema)
  if (isValid(parse(answer))) return []
  const [error] = isValid.errors ?? []
  return [`body breaks its schema: ${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}`]
}

/** Only some pages of a list have a next one. */
const optional = ['link']

const faultsOfHeaders = ({ status, headers }: Answer, { answers }: ApiOperation): string[] => {
  const success = [...answers.entries()].find(([code]) => code < 400)?.[1].headers ?? []
  const always = success.filter((name) => name.startsWith('x-') && status !== 414)
  const own = status < 400 ? (answers.get(status)?.headers ?? []) : []
  const retry = status === 429 ? ['retry-after'] : []
  return [...new Set([...always, ...own, ...retry])]
    .filter((name) => !optional.includes(name) && headers[name] === undefined)
    .map((name) => `without the header ${name}`)
}
