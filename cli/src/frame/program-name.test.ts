import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameInPackage, programName } from './program-name.ts'

test('a hint names the program as it was started', () => {
  assert.match(programName(), /\/script\/millseal$/)
  assert.equal(nameInPackage('/home/clerk/mill/node_modules/.bin/millseal'), 'npx millseal')
  assert.equal(nameInPackage('C:\\mill\\node_modules\\millseal\\cli\\start.cjs'), 'npx millseal')
  assert.equal(nameInPackage('/usr/local/bin/millseal'), 'millseal')
})
