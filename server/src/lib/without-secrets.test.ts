import assert from 'node:assert/strict'
import { test } from 'node:test'
import { because } from '@millseal/contract/reasons'
import { reasonWithoutSecrets, withoutSecrets } from './without-secrets.ts'

const token = 'Zk3vQ1c0mJt9rXwP7yLs2bN5aHd8eGf4uTiOoRqKjVx'

test('masks credentials in addresses, tokens, keys and hashes', () => {
  for (const [text, expected] of [
    ['smtp://user:pass@mail.example:25 refused', 'smtp://[hidden]@mail.example:25 refused'],
    [`the link ${token} failed`, 'the link [hidden] failed'],
    [`eyJ${token}.${token}.${token}`, '[hidden]'],
    [`key=${'ab'.repeat(32)}`, '[hidden]'],
  ] as const)
    assert.equal(withoutSecrets(text, 300), expected)
})

test('keeps ids and words, and limits the length', () => {
  const text = 'No wallet 0198c0de-0000-7000-8000-000000000000 at 10.0.0.1:25 (ECONNREFUSED)'
  assert.equal(withoutSecrets(text, 300), text)
  assert.equal(withoutSecrets('word '.repeat(100), 20).length, 20)
})

test('masks the values of a reason, and of the reasons in it', () => {
  const why = because('network_answers', { status: 500, why: `the link ${token} failed` })
  assert.deepEqual(
    reasonWithoutSecrets(because('network_unreachable', { why })),
    because('network_unreachable', {
      why: because('network_answers', { status: 500, why: 'the link [hidden] failed' }),
    }),
  )
})
