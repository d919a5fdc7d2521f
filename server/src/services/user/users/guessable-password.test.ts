import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCommon, isMostlyContext } from './guessable-password.ts'

const owner = {
  username: 'anna.walzer',
  email: 'a.walzer@rollingmill.example',
  companies: ['Stahlwerk Müller GmbH'],
}

test('a password that is little more than a name around its owner is found', () => {
  const found = [
    'anna.walzer1',
    'Walzer-2026!',
    'w4lz3r!!',
    'annawalzer',
    'rollingmill99',
    'R0llingM1ll',
    'StahlwerkMueller'.replace('ue', 'ü'),
    'stahlwerk muller',
    'Millseal2026',
    'm1llse4l!',
    'zeugnis1',
    'certificateMill',
    'willkommen#1',
    'P@ssw0rt',
  ]
  assert.deepEqual(
    found.filter((password) => !isMostlyContext(password, owner)),
    [],
  )
})

test('a password with enough besides is accepted', () => {
  const good = [
    'correct horse battery',
    'walzer spielt gern schach',
    'millseal-qx7-bern',
    '83620174563',
    'Ümläute sind erlaubt',
    '鋼鉄の証明書を守る',
  ]
  assert.deepEqual(
    good.filter((password) => isMostlyContext(password, owner)),
    [],
  )
})

test('a name of three letters refuses nothing', () => {
  assert.equal(isMostlyContext('bobbobbob', { username: 'bob', email: 'bob@x.example' }), false)
})

test('the most common passwords are found in any letter case', async () => {
  for (const password of ['password', 'Iloveyou', 'QWERTYUIOP', '1q2w3e4r', '123456789', 'football1'])
    assert.equal(await isCommon(password), true, password)
  for (const password of ['correct horse battery', 'pass phrase', 'Copyright (c) 2021 @zxcvbn-ts', ''])
    assert.equal(await isCommon(password), false, password)
})
