import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import type { Operation } from '../operation.ts'
import { operations } from '../operations/index.ts'

type Tree = { readonly [key: string]: unknown }
const everyOperation: readonly Operation[] = Object.values(operations)
const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const inputs = everyOperation.flatMap(({ id, params, query, body }) => {
  const bodies = body?.kind === 'document' ? [body.fields] : [body?.schema]
  return [params, query, ...bodies].filter((schema) => schema !== undefined).map((schema) => ({ id, schema }))
})

type Place = { readonly place: string; readonly schema: Tree; readonly insideAnyOf: boolean }

const places = (place: string, schema: Tree, insideAnyOf = false): Place[] => {
  const branches = Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isTree) : []
  const properties = isTree(schema['properties']) ? Object.entries(schema['properties']) : []
  const items = isTree(schema['items']) ? [schema['items']] : []
  return [
    { place, schema, insideAnyOf },
    ...branches.flatMap((branch, index) => places(`${place}|${index}`, branch, true)),
    ...properties.flatMap(([name, value]) =>
      isTree(value) ? places(`${place}.${name}`, value, insideAnyOf) : [],
    ),
    ...items.flatMap((value) => places(`${place}[]`, value, insideAnyOf)),
  ]
}

const everyPlace = inputs.flatMap(({ id, schema }) => places(id, schema as TSchema & Tree))

test('every string of a request has a maximum length', () => {
  const bounded = (schema: Tree) => 'maxLength' in schema || 'enum' in schema || schema['format'] === 'uuid'
  assert.deepEqual(
    everyPlace
      .filter(({ schema }) => schema['type'] === 'string' && !bounded(schema))
      .map(({ place }) => place),
    [],
  )
})

test('every array of a request has a maximum length', () => {
  assert.deepEqual(
    everyPlace
      .filter(({ schema }) => schema['type'] === 'array' && !('maxItems' in schema))
      .map(({ place }) => place),
    [],
  )
})

test('no branch of an anyOf drops the properties of another', () => {
  assert.deepEqual(
    everyPlace
      .filter(({ schema, insideAnyOf }) => insideAnyOf && schema['additionalProperties'] === false)
      .map(({ place }) => place),
    [],
  )
})

test('every body has a title', () => {
  for (const { id, body } of everyOperation) {
    if (!body || body.kind === 'document') continue
    const named = 'title' in body.schema || 'anyOf' in body.schema
    assert.ok(named, id)
  }
})
