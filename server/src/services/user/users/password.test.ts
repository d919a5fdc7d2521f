import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Secret } from '../../../lib/secret.ts'
import { hashPassword, isPasswordOf } from './password.ts'

describe('a stored password', () => {
  test('is hashed with argon2id: 19 MiB, two passes, one lane, and a salt of its own', async () => {
    const password = new Secret('correct horse battery')
    const [one, other] = [await hashPassword(password), await hashPassword(password)]
    for (const hash of [one, other]) assert.ok(hash.startsWith('$argon2id$v=19$m=19456,t=2,p=1$'), hash)
    assert.notEqual(one, other)
    assert.ok(await isPasswordOf({ passwordHash: one }, password))
    assert.ok(!(await isPasswordOf({ passwordHash: one }, new Secret('another one'))))
  })

  test('is compared for nobody as well, and never right', async () => {
    for (const guess of ['dummy', 'correct horse battery'])
      assert.ok(!(await isPasswordOf(undefined, new Secret(guess))), guess)
  })
})
