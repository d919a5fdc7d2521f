import assert from 'node:assert/strict'
import { test } from 'node:test'
import { impliedErrors } from './deduce.ts'
import { errors, plumbingErrors } from './errors.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations/index.ts'

const everyOperation: readonly Operation[] = Object.values(operations)

test('every error of the catalogue is given by an operation or by the plumbing', () => {
  const given = new Set<string>([...everyOperation.flatMap(impliedErrors), ...plumbingErrors])
  assert.deepEqual(
    Object.keys(errors).filter((code) => !given.has(code)),
    [],
  )
})

test('no operation gives an error of the plumbing', () => {
  const plumbing = new Set<string>(plumbingErrors)
  for (const operation of everyOperation)
    assert.deepEqual(
      impliedErrors(operation).filter((code) => plumbing.has(code)),
      [],
      operation.id,
    )
})

test('no operation lists an error that follows from its declaration anyway', () => {
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

test('errors of one status have one name', () => {
  const names = Map.groupBy(Object.values(errors), ({ status }) => status)
  for (const [status, entries] of names)
    assert.equal(new Set(entries.map(({ name }) => name)).size, 1, `${status}`)
})

test('messages are single sentences without a full stop', () => {
  for (const { message } of Object.values(errors)) assert.match(message, /^[A-Z][^\n.]*$/)
})
