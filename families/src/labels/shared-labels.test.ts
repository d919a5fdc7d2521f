import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { en10168 } from '../families/en10168/index.ts'
import { noLabels, readLabels } from './labels.ts'
import { labelsOf } from './shared-labels.ts'

const sources = { schema: en10168.labels, family: en10168.labels }

describe('the labels that certificates share', () => {
  test('are the same text for the same name, which is known by it', () => {
    const first = labelsOf(sources, ['en', 'de'])
    const text = first.label('A01')
    assert.equal(text.length, 2)
    assert.equal(labelsOf(sources, ['en', 'de']).label('A01'), text)
    assert.equal(first.nameOf(text), 'A01')
    assert.notDeepEqual(labelsOf(sources, ['de', 'en']).label('A01'), text)
  })

  test('are not those of another schema', () => {
    const schema = readLabels({ EN: { A01: 'Mill' } })
    assert.deepEqual(labelsOf({ schema, family: en10168.labels }, ['en']).label('A01'), ['Mill'])
    assert.notDeepEqual(labelsOf({ schema: noLabels, family: en10168.labels }, ['en']).label('A01'), ['Mill'])
  })

  test('keep nothing that a certificate made up: names without a label, and labels of its own', () => {
    const labels = labelsOf(sources, ['en'])
    assert.deepEqual(labels.label('MadeUpName'), ['Made up name'])
    assert.notEqual(labels.label('MadeUpName'), labels.label('MadeUpName'))
    assert.equal(labels.nameOf(labels.label('MadeUpName')), undefined)
    const own = labels.label('NoSuchName', 'As the certificate says')
    assert.deepEqual([own, labels.nameOf(own)], [['As the certificate says'], undefined])
  })

  test('of more languages than are kept are right all the same', () => {
    const [, wanted] = labelsOf(sources, ['en', 'de']).label('A01')
    for (let first = 0; first < 26; first += 1)
      for (let second = 0; second < 26; second += 1) {
        const language = String.fromCodePoint(97 + first, 97 + second)
        labelsOf(sources, [language, 'en']).label('A01')
      }
    assert.equal(labelsOf(sources, ['en', 'de']).label('A01')[1], wanted)
  })
})
