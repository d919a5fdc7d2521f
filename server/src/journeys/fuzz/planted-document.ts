import type { Actor } from './ask.ts'
import type { Schema } from './read-api.ts'

/** The defects of the small server, and how the fuzzer reports each. */
export const defects = {
  'a NUL in a string is a 500': /status 500/,
  'a byte order mark is a 500': /status 500/,
  'deep JSON is a 500': /status 500/,
  'a bad query is a 500': /status 500/,
  'a path that cannot be decoded is a 500': /status 500/,
  'a large number is a 500': /status 500/,
  'an enum is ignored': /accepted although the body is not valid: \/kind/,
  'a limit of length is ignored': /accepted although the body is not valid: \/name/,
  'an undeclared property is answered': /breaks its schema.*owner/,
  'a property of the wrong type is answered': /breaks its schema.*\/name must be string/,
  'an error is a page of HTML': /an error as text\/html/,
  'an undocumented status': /undocumented status 202/,
  'an undocumented content type': /undocumented content type text\/plain/,
  'deleting takes no token': /things.delete: \d+ instead of 401/,
  'any token will do': /things.list: 200 instead of 401/,
  'a foreign record is shown': /accepted although it is a stranger who asks/,
  'a deleted record is shown': /accepted although it was deleted/,
  'no header says what is left': /without the header x-ratelimit-remaining/,
  'an error tells where in the code': /shows its insides/,
  'the connection is closed without an answer': /no answer/,
} as const
export type Defect = keyof typeof defects

const wanted = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 30 },
    kind: { type: 'string', enum: ['plate', 'coil'] },
    pieces: { type: 'integer', minimum: 0, maximum: 100 },
  },
  required: ['name', 'kind'],
}
const thing = {
  type: 'object',
  properties: { id: { type: 'string', format: 'uuid' }, ...wanted.properties },
  required: ['id', 'name', 'kind'],
}
const headers = { 'X-RateLimit-Remaining': {} }
const as = (schema: Schema) => ({ headers, content: { 'application/json': { schema } } })
const failure = { content: { 'application/json': {} } }
const failures = { '400': failure, '401': failure, '404': failure }
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }
const limit = { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1 } }

const operation = (operationId: string, parameters: readonly Schema[], success: Schema): Schema => ({
  operationId,
  security: [{ bearer: [] }],
  parameters,
  responses: { ...success, ...failures },
})

/** The API document of the small server. */
export const plantedDocument: Schema = {
  paths: {
    '/things': {
      get: operation('things.list', [limit], { '200': as({ type: 'array', items: thing }) }),
      post: {
        ...operation('things.create', [], { '201': as(thing) }),
        requestBody: { content: { 'application/json': { schema: wanted } } },
      },
    },
    '/things/{id}': {
      get: operation('things.read', [id], { '200': as(thing) }),
      delete: operation('things.delete', [id], { '200': as({}) }),
    },
  },
}

export const plantedActors: readonly [Actor, Actor] = [
  { name: 'owner', token: 'token-of-the-owner', company: 'ours' },
  { name: 'stranger', token: 'token-of-a-stranger', company: 'theirs' },
]
