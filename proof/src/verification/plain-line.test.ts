import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainLine } from './plain-line.ts'

test('a text of a stranger becomes one line without control characters', () => {
  assert.equal(plainLine(' a\n\u001b[2Jb\u2028\u202ec\t d '), 'a [2Jb c d')
  assert.equal(plainLine('M\u200bill \u2066A\u2069\u00ad\u{e0041}\ufeffG'), 'Mill AG')
  assert.equal(plainLine('\ud800'), '\ufffd')
})

test('a long text is cut to whole characters, the last of which is an ellipsis', () => {
  assert.equal(plainLine('x'.repeat(5), 5), 'xxxxx')
  assert.equal(plainLine('x'.repeat(6), 5), 'xxxx…')
  assert.equal(plainLine('\u{1f600}'.repeat(6), 5), `${'\u{1f600}'.repeat(4)}…`)
  assert.equal([...plainLine('x'.repeat(501))].length, 500)
})
