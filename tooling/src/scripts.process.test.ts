import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const folder = join(import.meta.dirname, '../../script')

describe('every script in script/', () => {
  const scripts = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  for (const { name } of scripts)
    test(`${name} explains itself with --help, and does nothing else`, () => {
      const { status, stdout, stderr } = spawnSync(join(folder, name), ['--help'], {
        encoding: 'utf8',
      })
      assert.equal(status, 0, stderr)
      assert.equal(stderr, '')
      assert.ok(stdout.length > 50, stdout)
      assert.doesNotMatch(stdout, /^\s+at |^#|ℹ/m)
    })
})
