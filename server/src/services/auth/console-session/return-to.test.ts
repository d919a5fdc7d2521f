import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { returnAddress } from './return-to.ts'

const home = 'https://seal.example/console/'
const to = (given: unknown) => returnAddress(given, 'https://seal.example')

describe('the address after a sign-in', () => {
  test('is the requested address if it is on this server', () => {
    assert.equal(to('/certificates?mode=live#top'), 'https://seal.example/certificates?mode=live#top')
    assert.equal(to('/a//b'), 'https://seal.example/a//b')
  })

  test('is the console for everything else', () => {
    for (const given of [
      undefined,
      '',
      42,
      ['/a', '/b'],
      'a',
      'https://evil.example/',
      'javascript:alert(1)',
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      '/\n/evil.example',
      ` /a`,
      '//[',
      '//a b',
      '//:x',
      `/${'a'.repeat(1_000)}`,
    ]) {
      assert.equal(to(given), home, JSON.stringify(given))
    }
  })

  test('is never one that a browser reads as another host', () => {
    for (const given of [
      '/..//evil.example',
      '/.//evil.example',
      '/%2e%2e//evil.example',
      '/@evil.example',
      '/a/../..//evil.example',
    ]) {
      assert.equal(new URL(to(given), home).origin, 'https://seal.example', given)
    }
  })
})
