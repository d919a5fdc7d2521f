import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replaceUncovered } from './replace-uncovered.ts'

test('replaceUncovered shows the code point of what a font cannot draw and drops controls', () => {
  const latin = (codePoint: number) => codePoint < 0x250
  assert.equal(replaceUncovered('a🚀b中\u0007c\td\ne\u0085', latin), 'a[U+1F680]b[U+4E2D]c d\ne')
  assert.equal(
    replaceUncovered('中', () => true),
    '中',
  )
})
