import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leavesOf, partsOf, readJson, textOf, withValue } from '../form/json.ts'
import { differencesOf } from './differences.ts'

test('names each place that changed, was added or is gone, with both values', () => {
  const former = readJson('{"A":{"Rm":26.0,"Heat":"1","Old":true},"L":[1,2]}')
  const next = readJson('{"A":{"Rm":26,"Heat":"1","New":"x"},"L":[1,2,3]}')
  assert.deepEqual(differencesOf(former, next), [
    { pointer: '/A/Rm', before: '26.0', after: '26' },
    { pointer: '/A/New', before: undefined, after: 'x' },
    { pointer: '/A/Old', before: 'true', after: undefined },
    { pointer: '/L/2', before: undefined, after: '3' },
  ])
})

test('takes one element for a list of one, as schemas do', () => {
  const one = readJson('{"Inspection":{"C00":"1"}}')
  assert.deepEqual(differencesOf(one, readJson('{"Inspection":[{"C00":"1"}]}')), [])
  assert.deepEqual(differencesOf(readJson('{"Inspection":[{"C00":"1"},{"C00":"2"}]}'), one), [
    { pointer: '/Inspection/1/C00', before: '2', after: undefined },
  ])
})

test('is empty for the same certificate, and shortens attached files', () => {
  const file = JSON.stringify({ file: 'A'.repeat(1_000) })
  assert.deepEqual(differencesOf(readJson(file), readJson(file)), [])
  const [only] = differencesOf(readJson('{}'), readJson(file))
  assert.equal(only?.after, `${'A'.repeat(200)} …`)
})

test('misses no value that is altered, added or taken away, wherever it is', () => {
  const text = '{"A":{"B":[{"C":1.0,"D":"x"},{"C":2,"E":[true,"y"]}],"~/":"z"},"F":-3e-7}'
  const sample = readJson(text)
  for (const [pointer, value] of leavesOf(sample)) {
    const altered = withValue(sample, partsOf(pointer), `${textOf(value)}!`) ?? null
    assert.deepEqual(differencesOf(sample, altered), [
      { pointer, before: textOf(value), after: `${textOf(value)}!` },
    ])
    const without = withValue(sample, partsOf(pointer), undefined) ?? null
    assert.ok(differencesOf(sample, without).length > 0, pointer)
    assert.ok(differencesOf(without, sample).length > 0, pointer)
  }
})
