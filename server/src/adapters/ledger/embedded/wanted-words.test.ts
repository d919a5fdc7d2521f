import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readWantedWords } from './wanted-words.ts'

describe('a search of the ledger', () => {
  const cases: readonly [string, readonly string[], readonly string[], readonly (readonly string[])[]][] = [
    ['Hot  rolled', ['hot', 'rolled'], [], []],
    ['"hot rolled" plate', ['plate'], ['hot', 'rolled'], []],
    ['plate -cold -"hot rolled"', ['plate'], [], [['cold'], ['hot', 'rolled']]],
    ['hot-rolled S355J2+N', ['hot', 'rolled', 's355j2', 'n'], [], []],
    ['"never closed', ['never', 'closed'], [], []],
    ['- -- -" " ""', [], [], []],
    ['x"y z"', ['x', 'y', 'z'], [], []],
  ]
  for (const [search, words, ofPhrases, unwanted] of cases)
    test(`reads the terms of ${search}`, () => {
      assert.deepEqual(readWantedWords(search), { words, ofPhrases, unwanted })
    })
})
