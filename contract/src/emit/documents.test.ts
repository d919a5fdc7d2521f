import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { staleDocuments, textOf } from '../../emit/write.ts'
import { emitAsyncApi } from './asyncapi.ts'
import { differences } from './differences.ts'
import { emitOpenApi } from './openapi.ts'
import { createSchemaComponents, type JsonMap } from './schemas.ts'

type Tree = { readonly [key: string]: unknown }
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null

const plain = (document: JsonMap): Tree => JSON.parse(textOf(document))

const at = (document: Tree, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, key) => (isTree(value) ? value[key] : undefined), document)

const tree = (document: Tree, pointer: string): Tree => {
  const value = at(document, pointer)
  assert.ok(isTree(value), `${pointer} is missing`)
  return value
}

const references = (value: unknown): string[] =>
  !isTree(value)
    ? []
    : Object.entries(value).flatMap(([key, inner]) =>
        key === '$ref' && typeof inner === 'string' ? [inner] : references(inner),
      )

const openApi = plain(emitOpenApi())
const asyncApi = plain(emitAsyncApi())

test('the committed documents are up to date', async () => {
  assert.deepEqual(await staleDocuments(), [])
})

for (const [name, document] of Object.entries({ openApi, asyncApi })) {
  test(`${name}: every reference exists`, () => {
    const found = references(document)
    assert.ok(found.length > 50)
    for (const reference of found) assert.ok(at(document, reference.slice(1)), reference)
  })

  test(`${name}: no schema forbids additional properties`, () => {
    assert.ok(!textOf(document).includes('"additionalProperties": false'))
  })
}

test('openApi: every operation has a described tag', () => {
  const described = new Set(Object.values(tree(openApi, '/tags')).map((tag) => isTree(tag) && tag['name']))
  for (const path of Object.values(tree(openApi, '/paths')))
    for (const operation of isTree(path) ? Object.values(path) : [])
      for (const tag of Object.values(tree(operation as Tree, '/tags')))
        assert.ok(described.has(tag), String(tag))
  for (const tag of Object.values(tree(openApi, '/tags'))) {
    assert.ok(isTree(tag))
    const hint = `describe the tag ${String(tag['name'])} in tagDescriptions (emit/prose.ts)`
    assert.match(String(tag['description']), /^[A-Z].+ \(.+\)$/, hint)
  }
})

/** Every object below this key, at any depth. */
const below = (value: unknown, key: string): Tree[] => {
  if (!isTree(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key && isTree(inner) ? [inner] : []),
    ...below(inner, key),
  ])
}

test('openApi: it has what generators of clients need', () => {
  const names = Object.values(tree(openApi, '/tags')).map((tag) => isTree(tag) && tag['name'])
  assert.deepEqual(names, [...new Set(names)], 'a tag is there twice')
  const isTypes = (content: Tree) => Object.keys(content).every((type) => type.includes('/'))
  const contents = below(openApi, 'content').filter(isTypes)
  assert.ok(contents.length > 300)
  for (const content of contents)
    for (const [type, media] of Object.entries(content))
      assert.ok(isTree(media) && isTree(media['schema']), `${type} has no schema`)
  // Generators take the first type of a body and forget the schemas of forms beside it.
  for (const { content } of below(openApi, 'requestBody'))
    if (isTree(content) && 'multipart/form-data' in content) assert.equal(Object.keys(content).length, 1)
  assert.ok(!('webhooks' in openApi), 'generators write clients for it that do not compile')
  assert.ok(at(openApi, '/paths/~1hooks/post/callbacks/event'), 'what a webhook receives')
  assert.equal(
    at(openApi, '/components/parameters/Company/schema/format'),
    undefined,
    'no header of an object',
  )
})

test('asyncApi: the document has the parts that AsyncAPI 3.0 requires', () => {
  assert.equal(asyncApi['asyncapi'], '3.0.0')
  assert.deepEqual(Object.keys(tree(asyncApi, '/servers')), ['mqtt', 'websocket'])
  for (const server of Object.values(tree(asyncApi, '/servers'))) {
    assert.ok(isTree(server))
    assert.match(String(server['host']), /^[^/]+$/)
    assert.match(String(server['protocol']), /^(mqtts|wss)$/)
    assert.ok(Object.values(tree(server, '/security')).length === 1)
  }
})

test('asyncApi: every channel declares the parameters of its address', () => {
  const channels = Object.entries(tree(asyncApi, '/channels'))
  assert.ok(channels.length >= 23)
  for (const [name, channel] of channels) {
    assert.ok(isTree(channel))
    const names = [...String(channel['address']).matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
    assert.deepEqual(Object.keys(tree(channel, '/parameters')), names, name)
    assert.deepEqual(Object.keys(tree(channel, '/messages')), ['event'], name)
  }
})

test('asyncApi: every operation sends the message of its channel', () => {
  const names = Object.keys(tree(asyncApi, '/operations'))
  assert.deepEqual(names, Object.keys(tree(asyncApi, '/channels')))
  for (const name of names) {
    const operation = tree(asyncApi, `/operations/${name}`)
    assert.equal(operation['action'], 'send')
    assert.deepEqual(operation['messages'], [{ $ref: `#/channels/${name}/messages/event` }])
  }
})

test('two different schemas cannot have the same title', () => {
  const components = createSchemaComponents()
  components.write(Type.Object({ id: Type.String() }, { title: 'OneDto' }))
  components.write(Type.Object({ id: Type.String() }, { title: 'OneDto', additionalProperties: false }))
  assert.throws(
    () => components.write(Type.Object({ id: Type.Integer() }, { title: 'OneDto' })),
    /two different schemas have the title OneDto/,
  )
})

test('differences are JSON pointers to the outermost changes', () => {
  assert.deepEqual(differences({ a: [1, 2], 'b/c': 1 }, { a: [1, 3, 4], d: null }), [
    '/a/1',
    '/a/2',
    '/b~1c',
    '/d',
  ])
  assert.deepEqual(differences({ a: 1 }, { a: 1 }), [])
})

test('openApi: what the server does and schemathesis had found undocumented is in the document', () => {
  const answers = tree(openApi, '/components/schemas/ApplicationWithSecretDto')
  assert.ok(!Object.values(tree(answers, '/required')).includes('clientSecret'), 'a replay has no secret')
  assert.ok(at(answers, '/properties/clientSecret'))
  const rotation = '/paths/~1applications~1{id}~1rotate-secret/post/requestBody/content/application~1json'
  assert.deepEqual(at(openApi, `${rotation}/schema/anyOf/1`), { type: 'null' }, 'null is no body')
  assert.equal(at(openApi, '/components/schemas/CertificateFileDto/properties/file/minLength'), 1)
  assert.equal(at(openApi, '/components/parameters/IdempotencyKey/schema/pattern'), '^[!-~]+$')
})
