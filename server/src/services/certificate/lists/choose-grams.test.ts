import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseGrams, commonAmong } from './choose-grams.ts'

/** A million certificates in small: all have `rolling`, each second one `evenly`, the others `oddly`. */
const sample = Array.from({ length: 128 }, (_, at) => `mc 2026 rolling ${at % 2 === 0 ? 'evenly' : 'oddly'}`)

test('a rare word is looked up alone, common words beside it are not', () => {
  assert.deepEqual(chooseGrams([' mc', '202', '026', '777', '123'], sample), ['777', '123'])
})

test('two rare grams are looked up together, though the sample has one of them by chance', () => {
  const digits = sample.map((words, at) => (at === 5 ? `${words} 771205` : words))
  assert.deepEqual(chooseGrams(['777', '712'], digits), ['777', '712'])
})

test('two common words need one gram each, if no certificate has both', () => {
  assert.deepEqual(chooseGrams(['eve', 'nly', 'odd', 'dly'], sample), ['eve', 'odd'])
})

test('a common gram is used if it is the only one, and not a second time', () => {
  assert.deepEqual(chooseGrams(['rol', 'lin', 'ing'], sample), ['rol'])
  assert.deepEqual(chooseGrams([' mc'], sample), [' mc'])
})

test('a common gram is used beside one that proposes too many certificates', () => {
  const streets = ['station road', 'ring road', 'station square', 'ring square']
  assert.deepEqual(chooseGrams(['sta', 'roa'], streets), ['sta', 'roa'])
})

test('several common grams are combined, one alone or rare ones are not', () => {
  assert.deepEqual(commonAmong(['eve', 'odd', '777'], sample), ['eve', 'odd'])
  assert.deepEqual(commonAmong(['eve', '777', '123'], sample), [])
})

test('without a sample there is still something to look up', () => {
  assert.deepEqual(chooseGrams(['rol', 'lin', 'ing'], []), ['rol', 'lin'])
})
