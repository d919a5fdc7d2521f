export type Schema = { readonly [key: string]: unknown }

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
}

/** The allowed answers with one status. */
export type AnswerShape = {
  readonly schemas: ReadonlyMap<string, Schema | undefined>
  /** In lower case. */
  readonly headers: readonly string[]
}

export type Method = Uppercase<(typeof methods)[number]>

export type ApiOperation = {
  readonly id: string
  readonly method: Method
  readonly path: string
  /** What it asks for: nothing, an access token, or a secret of its own kind. */
  readonly access: 'open' | 'bearer' | 'other'
  readonly parameters: readonly Parameter[]
  /** By content type; empty where no body is taken. */
  readonly bodies: ReadonlyMap<string, Schema | undefined>
  readonly answers: ReadonlyMap<number, AnswerShape>
}

export type Api = {
  readonly basePath: string
  readonly operations: readonly ApiOperation[]
  readonly components: Schema
  resolve(schema: Schema): Schema
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

const entriesOf = (value: unknown): [string, Schema][] =>
  Object.entries((value ?? {}) as Record<string, Schema>)

/** An OpenAPI document as the fuzzer reads it. It knows nothing else about the service. */
export const readApi = (document: Schema): Api => {
  const resolve = (schema: Schema): Schema => {
    const reference = schema['$ref']
    if (typeof reference !== 'string') return schema
    const found = reference
      .split('/')
      .slice(1)
      .reduce<unknown>((at, key) => (at as Schema)[key], document)
    return resolve(found as Schema)
  }
  const contentOf = (value: unknown) =>
    new Map(entriesOf(value).map(([type, { schema }]) => [type, schema as Schema | undefined]))

  const toOperation = (path: string, method: (typeof methods)[number], declared: Schema): ApiOperation => ({
    id: String(declared['operationId']),
    method: method.toUpperCase() as Method,
    path,
    access: accessOf(declared['security'] as readonly Schema[]),
    parameters: ((declared['parameters'] ?? []) as readonly Schema[]).map(resolve).map((parameter) => ({
      name: String(parameter['name']),
      in: parameter['in'] as Parameter['in'],
      required: parameter['required'] === true,
      schema: resolve(parameter['schema'] as Schema),
    })),
    bodies: contentOf((declared['requestBody'] as Schema | undefined)?.['content']),
    answers: new Map(
      entriesOf(declared['responses']).map(([status, written]) => {
        const response = resolve(written)
        const headers = entriesOf(response['headers']).map(([name]) => name.toLowerCase())
        return [Number(status), { schemas: contentOf(response['content']), headers }]
      }),
    ),
  })

  const [server] = (document['servers'] ?? []) as readonly { url: string }[]
  return {
    basePath: server?.url ?? '',
    components: (document['components'] ?? {}) as Schema,
    operations: entriesOf(document['paths']).flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const declared = item[method]
        return declared === undefined ? [] : [toOperation(path, method, declared as Schema)]
      }),
    ),
    resolve,
  }
}

const accessOf = (security: readonly Schema[]): ApiOperation['access'] => {
  if (security.length === 0) return 'open'
  return security.every((way) => 'bearer' in way) ? 'bearer' : 'other'
}
