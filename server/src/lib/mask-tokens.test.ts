import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { maskTokens } from './mask-tokens.ts'

test('masks the tokens of links, wherever they are', () => {
  for (let round = 0; round < 100; round += 1) {
    const token = randomBytes(32).toString('base64url')
    for (const start of [
      '/api/users/reset?token=',
      '/invitation?token=',
      '/reset-password?token=',
      '/unlock-sign-in?token=',
      '/files/',
      '/unsubscribe/',
    ])
      assert.equal(
        maskTokens(`<a href="https://mill.example${start}${token}">`),
        `<a href="https://mill.example${start}[hidden]">`,
      )
  }
})

test('keeps ids, hashes in hex and short codes', () => {
  const text = `0198c0de-0000-7000-8000-000000000000 ${'ab'.repeat(32)} /v/AbCdEfGhIjKlMnOpQrStUv`
  assert.equal(maskTokens(text), text)
})
