import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alphabetRemark, mixesAlphabets } from './alphabets.ts'
import type { Report } from './report.ts'

test('a name has letters of several alphabets, or of another one that all look like Latin letters', () => {
  for (const name of [
    '\u0391cmeSteel',
    'Mill \u0391 GmbH',
    'R\u03bflling',
    '\u0410\u0421\u041c\u0415',
    '\u0410\u0421\u041c\u0415 1-2',
    'Ac\u{1d426}e',
  ])
    assert.equal(mixesAlphabets(name), true, name)
})

test('names of one alphabet are as they seem, with accents, digits and signs too', () => {
  const names = [
    'Rolling Mill',
    'Gie\u00dferei M\u00fcller & S\u00f6hne',
    'Huta Stal\u00f3wa \u0141\u00f3d\u017a',
    'Северсталь',
    'Ελληνικά Χάλυβα',
    '123',
    '',
  ]
  for (const name of names) assert.equal(mixesAlphabets(name), false, name)
})

test('scripts without capitals are not taken for Latin letters', () => {
  for (const name of ['宝钢 Baosteel', 'ABC 株式会社', 'مصنع Steel'])
    assert.equal(mixesAlphabets(name), false, name)
})

test('a verdict names the first such name that it shows, of the review or of the key', () => {
  const remarkOn = (name: string, selfName?: string) =>
    alphabetRemark({ facts: { issuer: { answer: 'yes', did: 'did', name, selfName } } } as unknown as Report)
  const remark = (name: string) => `The name ${name} has letters of several alphabets: compare the VAT id`
  assert.equal(remarkOn('Mill'), undefined)
  assert.equal(remarkOn('\u0391cme'), remark('\u0391cme'))
  assert.equal(remarkOn('Acme', '\u0391c\u200bme'), remark('\u0391cme'))
})
