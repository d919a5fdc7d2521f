import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settingsHelp } from '../config.ts'

test('the help has its settings in groups that fit on a screen', () => {
  const groups = settingsHelp().split('\n\n')
  assert.ok(groups.length > 10)
  for (const group of groups) {
    assert.match(group, /^[A-Z][^\n]+:\n {2}[A-Z_]+/)
    assert.ok((group.match(/^ {2}[A-Z]/gm) ?? []).length <= 12, group)
  }
})
