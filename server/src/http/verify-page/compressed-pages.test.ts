import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { createCompressedPages } from './compressed-pages.ts'

describe('a compressed page', () => {
  test('is made once for the same content, and another one for other content', () => {
    const compressed = createCompressedPages()
    const first = compressed('<p>one key</p>')
    assert.equal(compressed('<p>one key</p>'), first)
    assert.equal(brotliDecompressSync(compressed('<p>another key</p>')).toString(), '<p>another key</p>')
    assert.equal(brotliDecompressSync(first).toString(), '<p>one key</p>')
  })

  test('is forgotten after a hundred others, unless somebody asks for it', () => {
    const compressed = createCompressedPages()
    const [asked, forgotten] = [compressed('asked'), compressed('forgotten')]
    for (let code = 0; code < 99; code += 1) {
      compressed(`code ${code}`)
      assert.equal(compressed('asked'), asked)
    }
    assert.notEqual(compressed('forgotten'), forgotten)
  })
})
