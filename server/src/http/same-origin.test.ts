import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isFromOwnPages } from './same-origin.ts'

const own = 'https://seal.example'
const isOwn = (method: string, headers: Record<string, string>) => isFromOwnPages({ method, headers }, own)

describe('a request of the server’s own pages', () => {
  test('is recognized by the origin that the browser sends', () => {
    for (const [method, headers, expected] of [
      ['GET', {}, true],
      ['HEAD', {}, true],
      ['GET', { 'sec-fetch-site': 'same-origin' }, true],
      ['GET', { 'sec-fetch-site': 'none' }, true],
      ['GET', { 'sec-fetch-site': 'same-site' }, false],
      ['GET', { 'sec-fetch-site': 'cross-site' }, false],
      ['GET', { 'sec-fetch-site': '' }, false],
      ['GET', { origin: own }, true],
      ['GET', { origin: 'https://other.seal.example' }, false],
      ['POST', {}, false],
      ['POST', { 'sec-fetch-site': 'same-origin' }, false],
      ['POST', { origin: own }, true],
      ['POST', { origin: own, 'sec-fetch-site': 'same-origin' }, true],
      ['POST', { origin: own, 'sec-fetch-site': 'cross-site' }, false],
      ['POST', { origin: 'null' }, false],
      ['POST', { origin: 'https://seal.example.evil.example' }, false],
      ['POST', { origin: 'https://seal.example:8443' }, false],
      ['POST', { origin: 'http://seal.example' }, false],
      ['POST', { origin: '' }, false],
      ['DELETE', {}, false],
      ['PATCH', { 'sec-fetch-site': 'none' }, false],
    ] as const) {
      assert.equal(isOwn(method, headers), expected, `${method} ${JSON.stringify(headers)}`)
    }
  })
})
