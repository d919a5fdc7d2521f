import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { markup } from './markup.ts'

describe('the markup template', () => {
  test('escapes values in text and in quoted attributes', () => {
    const hostile = `"><script>alert('x')</script>&`
    const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;'
    assert.equal(String(markup`<p title="${hostile}">${hostile}</p>`), `<p title="${escaped}">${escaped}</p>`)
  })

  test('inserts markup as it is, in lists too, and nothing for undefined', () => {
    const items = ['a<', 'b'].map((item) => markup`<li>${item}</li>`)
    assert.equal(String(markup`<ul>${items}</ul>${undefined}${7}`), '<ul><li>a&lt;</li><li>b</li></ul>7')
  })

  test('removes control characters and shows those that reorder text', () => {
    assert.equal(String(markup`${'a\u0000b\u202ec'}`), 'ab[U+202E]c')
  })

  test('inserts every other character as it is, alone and among others', () => {
    const special = /[&<>"'\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
    for (let code = 0; code <= 0xffff; code += 1) {
      const character = String.fromCharCode(code)
      const isKept = character === '\n' || !special.test(character)
      for (const text of [character, `zä${character}Ω`])
        assert.equal(String(markup`${text}`) === text, isKept, `U+${code.toString(16)}`)
    }
  })

  test('treats strings and objects that look like markup as text', () => {
    const forged = { toString: () => '<b>' }
    assert.throws(() => markup`${forged as unknown as string}`)
    const listed: unknown = [String(markup`<b>`)]
    assert.equal(String(markup`${listed as string[]}`), '&lt;b&gt;')
  })
})
