import assert from 'node:assert/strict'
import { test } from 'node:test'
import { impliedErrors } from './deduce.ts'
import { errors, plumbingErrors } from './errors.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations/index.ts'

const everyOperation: readonly Operation[] = Object.values(operations)

test('every error of the catalogue belongs to an operation or to the plumbing', () => {
  const given = new Set<string>([...everyOperation.flatMap(impliedErrors), ...plumbingErrors])
  assert.deepEqual(
    Object.keys(errors).filter((code) => !given.has(code)),
    [],
  )
})

test('no operation lists an error of the plumbing', () => {
  const plumbing = new Set<string>(plumbingErrors)
  for (const operation of everyOperation)
    assert.deepEqual(
      impliedErrors(operation).filter((code) => plumbing.has(code)),
      [],
      operation.id,
    )
})

test('no operation lists an error that already follows from its declaration', () => {
  for (const operation of everyOperation) {
    const { errors: listed = [], ...rest } = operation
    const implied = impliedErrors(rest)
    assert.deepEqual(
      listed.filter((code) => implied.includes(code)),
      [],
      operation.id,
    )
  }
})

test('all errors of a status have the same name', () => {
  const names = Map.groupBy(Object.values(errors), ({ status }) => status)
  for (const [status, entries] of names)
    assert.equal(new Set(entries.map(({ name }) => name)).size, 1, `${status}`)
})

test('messages are single sentences without a full stop', () => {
  for (const { message } of Object.values(errors)) assert.match(message, /^[A-Z][^\n.]*$/)
})
