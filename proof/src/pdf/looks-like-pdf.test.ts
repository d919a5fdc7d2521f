import assert from 'node:assert/strict'
import { test } from 'node:test'
import { looksLikePdf } from './looks-like-pdf.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('recognizes a PDF by its marker, also after other bytes, but not JSON that contains the marker', () => {
  assert.equal(looksLikePdf(bytes('%PDF-1.7\n')), true)
  assert.equal(looksLikePdf(bytes('\u0000junk %PDF-1.7\n')), true)
  assert.equal(looksLikePdf(bytes('{"Z01":"see %PDF-1.7"}')), false)
  assert.equal(looksLikePdf(bytes('\n  {"Z01":"see %PDF-1.7"}')), false)
  assert.equal(looksLikePdf(bytes(`${' '.repeat(1_024)}%PDF-1.7`)), false)
  assert.equal(looksLikePdf(bytes('')), false)
})
