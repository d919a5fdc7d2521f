import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { renderPage } from '../../guide/markdown.ts'
import { helpAddress, helpPages } from './help.ts'

const root = join(import.meta.dirname, '../../..')
const sources = new Map(
  globSync('docs/*.md', { cwd: root }).map((path) => [path, readFileSync(join(root, path), 'utf8')]),
)

test('every screen has a page of the documentation about it, with a heading that exists', () => {
  const missing = Object.entries(helpPages).filter(([, target]) => {
    const [name = '', anchor] = target.split('#')
    const source = `docs/${name}.md`
    if (!sources.has(source)) return true
    const page = renderPage({ source, sources, sizeOf: () => ({ width: 1, height: 1 }) })
    return anchor !== undefined && !page.anchors.has(anchor)
  })
  assert.deepEqual(missing, [])
  assert.ok(new Set(Object.values(helpPages)).size > 20, 'and not all of them the same')
})

test('an address of no screen leads to the page about the console', () => {
  assert.equal(helpAddress('/$'), '/docs/guide/console')
  assert.equal(helpAddress(undefined), '/docs/guide/console')
  assert.equal(helpAddress('/webhooks/$id'), '/docs/guide/webhooks#when-a-delivery-fails')
})
