import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { commonPasswords, commonPasswordsFile } from './common-passwords.ts'

test('the list of common passwords is that of its source, and has more than the 3,000 that ASVS 6.2.4 asks for', async () => {
  const written = await readFile(join(import.meta.dirname, '../..', commonPasswordsFile), 'utf8')
  assert.equal(written, await commonPasswords(), 'run script/dump')
  const [licence = '', list = ''] = written.split('\n---\n')
  assert.match(licence, /Permission is hereby granted, free of charge/)
  const passwords = list.trimEnd().split('\n')
  assert.ok(passwords.length > 3_000, String(passwords.length))
  assert.ok(passwords.every(({ length }) => length >= 8))
})
