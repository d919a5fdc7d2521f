import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { htmlOf } from './mail-html.ts'

const tokens = readFileSync(join(import.meta.dirname, '../../../console/src/look/tokens.css'), 'utf8')
const coloursIn = (text: string): ReadonlySet<string> => new Set(text.match(/#[\da-f]{3,6}\b/g))

describe('a mail', () => {
  test('has the colours of the console in both themes, and its typeface where it is installed', () => {
    const html = htmlOf({
      languages: ['en'],
      sender: { name: 'Rolling Mill', hasLogo: true },
      heading: ['Your certificate'],
      notice: ['Test mode'],
      before: [['Before']],
      facts: [['Number', 'A-1']],
      link: { label: 'Link', url: 'https://example.com' },
      button: { label: 'Open', url: 'https://example.com' },
      after: [['After']],
      why: ['Why you get this'],
      unsubscribe: { label: 'Unsubscribe', url: 'https://example.com' },
    })
    const ours = coloursIn(tokens)
    const used = coloursIn(html)
    assert.ok(used.size > 10)
    assert.deepEqual(
      [...used].filter((colour) => !ours.has(colour)),
      [],
    )
    assert.match(html, /font:16px\/1\.5 &#39;IBM Plex Sans&#39;,/)
  })
})
