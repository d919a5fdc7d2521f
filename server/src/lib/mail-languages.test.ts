import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preferredLanguage } from './mail-languages.ts'

test('a browser says which language of our mails it prefers', () => {
  for (const [header, expected] of [
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['fr, en;q=0.4, de;q=0.7', 'de'],
    ['en;q=0, de;q=0.1', 'de'],
    ['EN-us', 'en'],
    ['en;q=x, de;q=0.2', 'de'],
    ['fr', undefined],
    ['*', undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const)
    assert.equal(preferredLanguage(header), expected, header)
})
