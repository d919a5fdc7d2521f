import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonValue } from '../json/read.ts'
import { BundleUnreadable, readBundle } from './bundle.ts'

type Fields = { readonly [name: string]: JsonValue }

const readable: Fields = {
  formatVersion: 1,
  algorithm: 'sha256',
  jsonHash: 'the hash of the JSON',
  pdfHash: 'the hash of the PDF',
  transaction: { id: '1' },
  tlogProof: 'the proof',
  identity: { company: 'Rolling Mill', transaction: { id: '2' } },
  anchors: ['an anchor'],
}

const without = (name: string): Fields =>
  Object.fromEntries(Object.entries(readable).filter(([key]) => key !== name))

describe('a bundle', () => {
  test('is read field by field', () => {
    assert.deepEqual(readBundle(readable), {
      jsonHash: 'the hash of the JSON',
      pdfHash: 'the hash of the PDF',
      transaction: { id: '1' },
      tlogProof: 'the proof',
      publication: { company: 'Rolling Mill', transaction: { id: '2' } },
      anchors: ['an anchor'],
    })
  })

  test('can have no PDF, no published identity, no company name and no anchors', () => {
    assert.equal(readBundle(without('pdfHash')).pdfHash, undefined)
    assert.deepEqual(readBundle(without('anchors')).anchors, [])
    assert.equal(readBundle(without('identity')).publication, undefined)
    assert.equal(readBundle({ ...readable, identity: { company: 'Rolling Mill' } }).publication, undefined)
    const nameless = readBundle({ ...readable, identity: { company: 1, transaction: {} } })
    assert.deepEqual(nameless.publication, { company: undefined, transaction: {} })
  })

  const unreadable: readonly (readonly [JsonValue, RegExp])[] = [
    [null, /The bundle is not an object/],
    ['x', /The bundle is not an object/],
    [[readable], /The bundle is not an object/],
    [without('formatVersion'), /format 1/],
    [{ ...readable, formatVersion: 2 }, /format 1/],
    [without('algorithm'), /sha256/],
    [{ ...readable, algorithm: 'md5' }, /sha256/],
    [without('transaction'), /no transaction/],
    [{ ...readable, anchors: 'x' }, /anchors are not a list/],
    [without('jsonHash'), /no jsonHash/],
    [{ ...readable, jsonHash: 1 }, /no jsonHash/],
    [{ ...readable, pdfHash: null }, /no pdfHash/],
    [without('tlogProof'), /no tlogProof/],
    [{ ...readable, identity: null }, /The identity of the bundle is not an object/],
    [{ ...readable, identity: [] }, /The identity of the bundle is not an object/],
  ]
  for (const [bundle, reason] of unreadable) {
    test(`is rejected with ${reason.source}: ${JSON.stringify(bundle).slice(0, 60)}…`, () => {
      assert.throws(
        () => readBundle(bundle),
        (error) => error instanceof BundleUnreadable && reason.test(error.message),
      )
    })
  }
})
