import type { ValidateFunction } from 'ajv'
import fc from 'fast-check'
import type { Api, ApiOperation, Method, Parameter, Schema } from './read-api.ts'
import { bent, type Knowledge, valuesOf } from './values.ts'

export type FuzzRequest = {
  readonly method: Method
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** What is wrong with it, where something surely is: then it must not succeed. */
  readonly wrong?: string
  /** The same beside its body. */
  readonly wrongBefore?: string
}

export type Generation = {
  readonly api: Api
  readonly knowledge: Knowledge
  /** Whether a body satisfies its schema. */
  readonly validatorOf: (schema: Schema) => ValidateFunction
  /** The company acted for. */
  readonly company: string
}

type Part = Pick<FuzzRequest, 'wrong'> & { readonly text: string }
type Load = Pick<FuzzRequest, 'wrong' | 'body'> & { readonly type?: string }

/** Requests to an operation. Most of them are nearly valid, so that they reach the handler. */
export const requestsTo = (operation: ApiOperation, given: Generation): fc.Arbitrary<FuzzRequest> =>
  fc
    .record({
      path: pathOf(operation, given),
      query: queryOf(operation, given),
      load: loadOf(operation, given),
      headers: headersOf(operation, given),
    })
    .map(({ path, query, load, headers }) => {
      const wrong = query.wrong ?? load.wrong
      return {
        method: operation.method,
        path: `${given.api.basePath}${path}${query.text}`,
        headers: { ...headers, ...(load.type === undefined ? {} : { 'content-type': load.type }) },
        ...(load.body === undefined ? {} : { body: load.body }),
        ...(wrong === undefined ? {} : { wrong }),
        ...(query.wrong === undefined ? {} : { wrongBefore: query.wrong }),
      }
    })

const oddSegments = ['%00', '%ff', '%', '..%2f..', '%F0%9F%98%80', "'", 'null', '-1', '0', 'x'.repeat(3_000)]

const pathOf = ({ path, parameters }: ApiOperation, { api, knowledge }: Generation): fc.Arbitrary<string> => {
  const segments = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, schema }) => {
      const usual = valuesOf(schema, api, knowledge).map((value) => encodeURIComponent(wellFormed(value)))
      const odd = fc.constantFrom(...oddSegments)
      return fc
        .oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: odd })
        .map((segment) => [name, segment === '' ? '%20' : segment] as const)
    })
  return fc
    .tuple(...segments)
    .map((filled) =>
      filled.reduce((written, [name, segment]) => written.replace(`{${name}}`, () => segment), path),
    )
}

const wellFormed = (value: unknown): string => String(value).toWellFormed()

const queryOf = ({ parameters }: ApiOperation, given: Generation): fc.Arbitrary<Part> => {
  const declared = parameters.filter((parameter) => parameter.in === 'query')
  return fc.tuple(...declared.map((parameter) => queryValue(parameter, given))).map((values) => {
    const present = values.flatMap(({ text }, index) =>
      text === undefined ? [] : [`${encodeURIComponent(declared[index]?.name ?? '')}=${text}`],
    )
    const wrong = values.find((value) => value.wrong !== undefined)?.wrong
    return { text: present.length === 0 ? '' : `?${present.join('&')}`, ...(wrong ? { wrong } : {}) }
  })
}

const queryValue = (
  { name, schema, required }: Parameter,
  { api, knowledge }: Generation,
): fc.Arbitrary<{ text?: string; wrong?: string }> => {
  const usual = valuesOf(schema, api, knowledge).map((value) => ({
    text: encodeURIComponent(wellFormed(value)),
  }))
  const odd = fc.constantFrom('%00', '%', '', 'NaN', '1e400', 'x'.repeat(2_000), '%5B%5D').map((text) => ({
    text,
    ...(Array.isArray(schema['enum']) ? { wrong: `${name} is none of its values` } : {}),
  }))
  const missing = fc.constant(required ? { wrong: `${name} is missing` } : {})
  return required
    ? fc.oneof({ weight: 14, arbitrary: usual }, { weight: 1, arbitrary: odd }, missing)
    : fc.oneof(usual, { weight: 1, arbitrary: odd }, { weight: 3, arbitrary: missing })
}

const headersOf = (
  { parameters }: ApiOperation,
  { company, knowledge }: Generation,
): fc.Arbitrary<Record<string, string>> => {
  const takes = (name: string) => parameters.some((parameter) => parameter.name === name)
  const companies = takes('company')
    ? fc.oneof(
        { weight: 12, arbitrary: fc.constant({ company }) },
        fc.constantFrom({}, { company: 'nonsense' }, { company: knowledge.ids[0] ?? '' }),
      )
    : fc.constant({})
  const keys = takes('Idempotency-Key')
    ? fc.constantFrom({}, {}, {}, { 'idempotency-key': 'the-same-key-again-and-again' })
    : fc.constant({})
  const others = fc.constantFrom<Record<string, string>>(
    {},
    {},
    {},
    {},
    {},
    {},
    { 'x-version': '9' },
    { accept: 'image/png' },
  )
  return fc.tuple(companies, keys, others).map((parts) => Object.assign({}, ...parts))
}

const loadOf = ({ bodies }: ApiOperation, given: Generation): fc.Arbitrary<Load> => {
  if (bodies.size === 0) return fc.constantFrom<Load>({}, {}, {}, { type: 'application/json', body: '{}' })
  const known = [...bodies].map(([type, schema]) => typedLoad(type, schema, given))
  return fc.oneof(...known)
}

const typedLoad = (type: string, schema: Schema | undefined, given: Generation): fc.Arbitrary<Load> => {
  if (schema === undefined)
    return fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ type, body: Buffer.from(bytes) }))
  const values = valuesOf(schema, given.api, given.knowledge)
  const either = fc.oneof({ weight: 3, arbitrary: values }, { weight: 2, arbitrary: bent(values) })
  if (type === 'application/x-www-form-urlencoded')
    return values.map((value) => ({ type, body: new URLSearchParams(value as never).toString() }))
  if (type === 'multipart/form-data') return values.map((value) => multipart(value as Schema, given))
  const isValid = given.validatorOf(schema)
  return either.map((value) => ({
    type,
    body: JSON.stringify(value),
    ...(isValid(value) ? {} : { wrong: `the body is not valid: ${isValid.errors?.[0]?.instancePath}` }),
  }))
}

const multipart = (fields: Schema, { knowledge }: Generation): Load => {
  const document = JSON.stringify(Object.values(knowledge.documents)[0]?.() ?? {})
  const parts = Object.entries(fields).map(([name, value]) =>
    name === 'file'
      ? `--edge\r\ncontent-disposition: form-data; name="file"; filename="c.json"\r\ncontent-type: application/json\r\n\r\n${document}\r\n`
      : `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
  )
  return { type: 'multipart/form-data; boundary=edge', body: `${parts.join('')}--edge--\r\n` }
}

/** The same request with a malformed body; each number gives another one. */
export const malformedOf = (request: FuzzRequest, number: number): FuzzRequest => {
  const { 'content-type': _, ...headers } = request.headers
  const { type, body = '', wrong = request.wrongBefore } = malformed[number % malformed.length] ?? {}
  return {
    method: request.method,
    path: request.path,
    headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }) },
    body,
    ...(wrong === undefined ? {} : { wrong }),
  }
}

const json = 'application/json'
const malformed: readonly Load[] = [
  { type: json, body: '{"a":', wrong: 'the JSON is cut off' },
  { type: json, body: '' },
  { type: json, body: '\ufeff{}' },
  { type: json, body: '{"a":1,"a":2}', wrong: 'a key is given twice' },
  { type: json, body: '{"a":"\\u0000"}' },
  { type: json, body: '{"a":"\\ud800"}', wrong: 'a lone surrogate' },
  { type: json, body: '{"a":1e999}', wrong: 'a number beyond all doubles' },
  { type: json, body: '{"__proto__":{"role":"ADMIN"}}' },
  { type: json, body: '[1,2,3]'.padStart(5_000, '['), wrong: 'cut off and deep' },
  { type: json, body: `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`, wrong: 'too deep' },
  { type: json, body: Buffer.of(0x7b, 0x22, 0xff, 0x22, 0x7d), wrong: 'no UTF-8' },
  { type: 'text/xml', body: '<a/>', wrong: 'XML' },
  { type: 'nonsense', body: '{}', wrong: 'a content type that is none' },
  { type: `${json}; charset=utf-16`, body: '{}' },
  { type: 'multipart/form-data', body: '--x', wrong: 'multipart without a boundary' },
  {
    type: 'multipart/form-data; boundary=x',
    body: '--x\r\ncontent-disposition: form-data; na',
    wrong: 'cut off',
  },
  { body: Buffer.from('{}'), wrong: 'no content type' },
]
