import type { Operation } from '../operation.ts'
import { operations } from '../operations/index.ts'
import { ErrorResponse } from '../shapes/common.ts'
import { headers, parameters, securitySchemes } from './openapi-components.ts'
import { writeOperation } from './openapi-operation.ts'
import { sharedResponses } from './openapi-responses.ts'
import { apiDescription, license, tagDescriptions, tagOf } from './prose.ts'
import { createSchemaComponents, type JsonMap } from './schemas.ts'
import { writeWebhook } from './webhook.ts'

const everyOperation: readonly Operation[] = Object.values(operations)

const tagGroups = () => {
  const groups = new Map<string, Set<string>>()
  for (const operation of everyOperation) {
    const group = groups.get(operation.service) ?? new Set()
    groups.set(operation.service, group.add(tagOf(operation)))
  }
  return [...groups].map(([name, tags]) => ({ name, tags: [...tags] }))
}

/** Each name once: several services may have operations of one tag. */
const tags = () => {
  const groups = tagGroups()
  const names = new Set(groups.flatMap((group) => group.tags))
  return [...names].map((name) => {
    const services = groups.filter((group) => group.tags.includes(name)).map((group) => group.name)
    return { name, description: `${tagDescriptions[name] ?? ''} (${services.join(', ')})` }
  })
}

const paths = (write: (operation: Operation) => JsonMap) => {
  const byPath: Record<string, Record<string, JsonMap>> = {}
  for (const operation of everyOperation) {
    const methods = byPath[operation.path] ?? {}
    methods[operation.method.toLowerCase()] = write(operation)
    byPath[operation.path] = methods
  }
  return Object.fromEntries(Object.entries(byPath).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** The API as an OpenAPI 3.1 document. */
export const emitOpenApi = (): JsonMap => {
  const components = createSchemaComponents()
  components.write(ErrorResponse)
  // As `webhooks`, generators write clients for it that do not compile.
  const callbacks = { event: { '{$request.body#/connectionUrl}': writeWebhook(components) } }
  const written = paths((operation) => ({
    ...writeOperation(operation, components),
    callbacks: operation.id === operations.createHook.id ? callbacks : undefined,
  }))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millseal',
      version: '1.0.0',
      summary: 'Notarization of material quality certificates',
      description: apiDescription,
      license,
    },
    servers: [{ url: '/api', description: 'This server. Each service also has its own host or path.' }],
    tags: tags(),
    'x-tagGroups': tagGroups(),
    paths: written,
    components: {
      securitySchemes,
      parameters,
      headers,
      responses: sharedResponses(),
      schemas: components.all(),
    },
  }
}
