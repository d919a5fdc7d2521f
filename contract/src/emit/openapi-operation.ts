import type { TObject } from 'typebox'
import { honoursIdempotencyKey } from '../deduce.ts'
import type { Body, Operation } from '../operation.ts'
import { codeSamplesOf } from './code-samples.ts'
import { writeResponses } from './openapi-responses.ts'
import { descriptionOf, isForm, tagOf } from './prose.ts'
import type { JsonMap, SchemaComponents } from './schemas.ts'

const reference = (name: string) => ({ $ref: `#/components/parameters/${name}` })

const requiredOf = (schema: TObject | undefined): readonly string[] => schema?.required ?? []

const fromSchema = (
  place: 'path' | 'query' | 'header',
  schema: TObject | undefined,
  components: SchemaComponents,
) =>
  Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = components.write(property)
    const required = place === 'path' || requiredOf(schema).includes(name)
    return {
      name,
      in: place,
      required: required || undefined,
      description,
      schema: rest,
    }
  })

const writeParameters = (operation: Operation, components: SchemaComponents) => [
  ...fromSchema('path', operation.params, components),
  ...fromSchema('query', operation.query, components),
  ...fromSchema('header', operation.headers, components),
  ...(operation.mode === 'query' ? [reference('Mode')] : []),
  ...(operation.list ? [reference('Limit'), reference('After')] : []),
  ...(operation.company ? [reference('Company')] : []),
  reference('Version'),
  ...(honoursIdempotencyKey(operation) ? [reference('IdempotencyKey')] : []),
]

/** As OpenAPI 3.0 wrote it, and generators of clients still read it. */
const file = { type: 'string', format: 'binary', minLength: 1, description: 'The document' }

const multipart = (fields: TObject | undefined): JsonMap => ({
  ...(fields ?? { title: 'CertificateFileDto', type: 'object' }),
  properties: { file, ...fields?.properties },
  required: ['file', ...requiredOf(fields)],
})

/** Each way to send a document has its operation here, although each accepts both: generators choose one per operation. */
const documentContent = (
  operation: Operation,
  body: Extract<Body, { kind: 'document' }>,
  components: SchemaComponents,
) => {
  if (isForm(operation))
    return { 'multipart/form-data': { schema: components.write(multipart(body.fields)) } }
  const json = body.schema ? components.write(body.schema) : {}
  return Object.fromEntries(
    body.accepts.map((type) => [type, { schema: type === 'application/json' ? json : file }]),
  )
}

const writeBody = (operation: Operation, body: Body, components: SchemaComponents): JsonMap => {
  if (body.kind === 'document')
    return { required: true, content: documentContent(operation, body, components) }
  const type = body.kind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  const required = !(body.kind === 'json' && body.optional)
  const schema = components.write(body.schema)
  // Some clients send `null` where there is no body.
  return {
    required,
    content: { [type]: { schema: required ? schema : { anyOf: [schema, { type: 'null' }] } } },
  }
}

const securityOf = ({ access, scope }: Operation) => {
  if (access === 'public') return []
  if (access === 'link') return [{ token: [] }]
  if (access === 'refresh') return [{ refresh: [] }]
  if (access === 'user' || !scope) return [{ bearer: [] }]
  return scope.map(({ resource, action }) => ({ bearer: [`${resource}:${action}`] }))
}

export const writeOperation = (operation: Operation, components: SchemaComponents): JsonMap => {
  const description = descriptionOf(operation)
  return {
    operationId: operation.id,
    tags: [tagOf(operation)],
    summary: operation.summary,
    description: description || undefined,
    'x-service': operation.service,
    'x-variant': operation.variant,
    security: securityOf(operation),
    parameters: writeParameters(operation, components),
    requestBody: operation.body && writeBody(operation, operation.body, components),
    responses: writeResponses(operation, components),
    'x-codeSamples': codeSamplesOf(operation),
  }
}
