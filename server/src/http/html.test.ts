import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { html } from './html.ts'

describe('the html template', () => {
  test('escapes values in text and in quoted attributes', () => {
    const hostile = `"><script>alert('x')</script>&`
    const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;'
    assert.equal(String(html`<p title="${hostile}">${hostile}</p>`), `<p title="${escaped}">${escaped}</p>`)
  })

  test('inserts markup as it is, in lists too, and nothing for undefined', () => {
    const items = ['a<', 'b'].map((item) => html`<li>${item}</li>`)
    assert.equal(String(html`<ul>${items}</ul>${undefined}${7}`), '<ul><li>a&lt;</li><li>b</li></ul>7')
  })

  test('removes control characters and shows those that reorder text', () => {
    assert.equal(String(html`${'a\u0000b\u202ec'}`), 'ab[U+202E]c')
  })

  test('treats strings and objects that look like markup as text', () => {
    const forged = { toString: () => '<b>' }
    assert.throws(() => html`${forged as unknown as string}`)
    const listed: unknown = [String(html`<b>`)]
    assert.equal(String(html`${listed as string[]}`), '&lt;b&gt;')
  })
})
