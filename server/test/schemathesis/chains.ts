import { methodsOf, type Operation, operations } from '@millseal/contract'
import type { Document } from './examples.ts'

/** Records that the judge creates, uses and deletes in calls that build on each other. */
const nouns = [
  '/accesstoken',
  '/applications',
  '/customers',
  '/hooks',
  '/identities',
  '/mailhooks',
  '/wallets',
]

/** A version or a key that the generator invents would end each chain before it does anything. */
const leftOut = [
  '#/components/parameters/Version',
  '#/components/parameters/IdempotencyKey',
  '#/components/parameters/Company',
]

const linksOf = (noun: string): Record<string, object> =>
  Object.fromEntries(
    Object.values<Operation>(operations)
      .filter(({ path }) => path.startsWith(`${noun}/{id}`))
      .map(({ id }) => [id, { operationId: id, parameters: { 'path.id': '$response.body#/id' } }]),
  )

/** The operations that create these records, and those that name one. */
export const chained: readonly string[] = Object.values<Operation>(operations)
  .filter((operation) =>
    nouns.some(
      (noun) =>
        operation.path.startsWith(`${noun}/{id}`) ||
        (operation.path === noun && methodsOf(operation).includes('POST')),
    ),
  )
  .map(({ id }) => id)

/**
 * The document with a link from each operation that creates a record to all that name it. Bodies with an example are the
 * only ones of their operation, because calls that build on each other know no examples. The configuration has company and
 * token: the judge notices a lost record only where all parameters, also these, come from links.
 */
export const withChains = (document: Document): Document => {
  const copy = structuredClone(document)
  for (const [path, methods] of Object.entries(copy.paths))
    for (const [method, operation] of Object.entries(methods)) {
      operation.security = []
      operation.parameters = operation.parameters?.filter(({ $ref = '' }) => !leftOut.includes($ref)) ?? []
      const content = operation.requestBody?.content['application/json']
      if (content?.example !== undefined) content.schema = { const: content.example }
      const created = operation.responses['201']
      if (method === 'post' && created !== undefined && nouns.includes(path)) created.links = linksOf(path)
    }
  return copy
}
