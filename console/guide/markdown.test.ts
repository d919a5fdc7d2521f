import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brokenLinks, renderPage } from './markdown.ts'

const sizeOf = () => ({ width: 640, height: 480 })
const render = (text: string, others: Readonly<Record<string, string>> = {}) => {
  const sources = new Map(Object.entries({ 'docs/one.md': text, ...others }))
  return renderPage({ source: 'docs/one.md', sources, sizeOf })
}

describe('a page of the documentation', () => {
  test('shows raw HTML as text, wherever it stands, except a line break', () => {
    const { html } = render(
      '# A `<b>`\n\n<script>alert(1)</script>\n\nIn <img src=x onerror=alert(1)> text.\n\n| a |\n|---|\n| one<br>two <i>x</i> |\n\n```html\n<p>\n```\n',
    )
    assert.doesNotMatch(html, /<(?:script|img|i|b)\b|<p>\n/)
    assert.match(html, /&#60;script&#62;alert\(1\)/)
    assert.match(html, /one<br>two &#60;i&#62;/)
  })

  test('has no link that runs something', () => {
    const { html, links } = render('[a](javascript:alert(1)) [b](data:text/html,x) <javascript:alert(1)>')
    assert.doesNotMatch(html, /<a /)
    assert.deepEqual(links, [])
  })

  test('gives its headings the anchors of GitHub, each once', () => {
    const { title, anchors, sections } = render(
      '# One\n## Keys: `a.b` & *more*\n## Keys: `a.b` & *more*\n### [A link](two.md)\n',
      { 'docs/two.md': '# Two' },
    )
    assert.equal(title, 'One')
    assert.deepEqual([...anchors], ['one', 'keys-ab--more', 'keys-ab--more-1', 'a-link'])
    assert.deepEqual(
      sections.map(({ text }) => text),
      ['Keys: a.b & more', 'Keys: a.b & more'],
    )
  })

  test('leads to pages and to other sites; files of the source code are named only', () => {
    const { html, links } = render(
      '[b](two.md#part) [c](#one) [s](../SECURITY.md) [x](https://example.com/a?b=1&c) [f](../server/src/main.ts)',
      { 'docs/two.md': '# Two', 'SECURITY.md': '# Security' },
    )
    assert.deepEqual(links, ['two#part', 'one#one', 'security'])
    assert.match(html, /<a href="\/docs\/guide\/two#part">b<\/a>/)
    assert.match(html, /<a href="https:\/\/example\.com\/a\?b=1&#38;c">x<\/a>/)
    assert.match(html, /<span class="source" title="server\/src\/main\.ts in the source code">f<\/span>/)
  })

  test('has tables that can be scrolled by keyboard, and pictures with their size', () => {
    const { html, pictures } = render(
      '| a | b | |\n|---|---|---|\n| `1` | **2** | 3 |\n\n![A list](pictures/list.png)\n',
    )
    assert.match(html, /<div class="table" role="group" aria-label="Table 1" tabindex="0">/)
    assert.match(html, /<tr><th>a<\/th><th>b<\/th><td><\/td><\/tr>/)
    assert.match(html, /<td><code>1<\/code><\/td><td><strong>2<\/strong><\/td>/)
    assert.match(html, /src="\/docs\/guide\/pictures\/list\.png" alt="A list" width="640" height="480"/)
    assert.deepEqual(pictures, ['docs/pictures/list.png'])
  })
})

test('links to pages and headings that do not exist are reported', () => {
  const sources = { 'docs/two.md': '# Two\n## Part' }
  const one = render('# One\n[a](two.md#part) [b](two.md#gone) [c](#one) [d](#gone)', sources)
  const two = renderPage({ source: 'docs/two.md', sources: new Map(Object.entries(sources)), sizeOf })
  assert.deepEqual(brokenLinks([one, two]), ['one: two#gone', 'one: one#gone'])
  assert.deepEqual(brokenLinks([one]), ['one: two#part', 'one: two#gone', 'one: one#gone'])
})
