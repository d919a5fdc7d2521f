import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '../../../lib/secret.ts'
import { newRecoveryCode, normalizedRecoveryCode } from './recovery-code.ts'

const normalized = (code: string): string => normalizedRecoveryCode(new Secret(code)).reveal()

test('a recovery code has 80 random bits in four groups and no letters that look like digits', () => {
  const codes = Array.from({ length: 200 }, () => newRecoveryCode().reveal())
  for (const code of codes) assert.match(code, /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
  assert.equal(new Set(codes).size, codes.length)
  assert.equal(new Set(codes.join('').replaceAll('-', '')).size, 32, 'every character occurs')
})

test('a recovery code may be typed without groups, in small letters, and with O for 0, I or L for 1', () => {
  assert.equal(normalized('01AB-CDEF-GH1J-KM10'), '01ABCDEFGH1JKM10')
  assert.equal(normalized(' o1ab cdef ghij kml0 '), '01ABCDEFGH1JKM10')
})
