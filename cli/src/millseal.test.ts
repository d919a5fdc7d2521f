import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const main = join(import.meta.dirname, 'main.ts')
const millseal = (args: string[], environment: Record<string, string> = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    timeout: 20_000,
    env: { PATH: process.env['PATH'] ?? '', ...environment },
  })
  return { status, stdout, stderr }
}

describe('millseal, the command', () => {
  test('explains itself, and each command explains itself', () => {
    const help = millseal(['--help'])
    assert.equal(help.status, 0)
    assert.match(help.stdout, /serve/)
    const serve = millseal(['serve', '--help'])
    assert.equal(serve.status, 0)
    for (const name of [
      'MILLSEAL_PORT (8080)',
      'MILLSEAL_DATA_DIR (./data)',
      'DATABASE_URL',
      'SMTP_URL',
      'MILLSEAL_MASTER_KEY',
    ]) {
      assert.ok(serve.stdout.includes(name), name)
    }
  })

  test('a wrong call is one line and exit code 2', () => {
    for (const args of [['melt'], ['serve', '--prot'], ['toString']]) {
      const { status, stderr } = millseal(args)
      assert.equal(status, 2)
      assert.equal(stderr.trim().split('\n').length, 1, stderr)
    }
  })

  test('a setting that cannot be used is one line naming it, exit code 2, and its value is not repeated', () => {
    const wrong = {
      MILLSEAL_PORT: 'eighty',
      MILLSEAL_RATE_LIMIT: '-1',
      MILLSEAL_PUBLIC_URL: 'millseal.example.com',
      DATABASE_URL: 'mysql://root:hunter2@localhost/db',
      SMTP_URL: 'hunter2',
      MILLSEAL_MASTER_KEY: 'hunter2',
      MILLSEAL_SERVICES: 'user,kitchen',
      MILLSEAL_ROLES: 'boss',
      MILLSEAL_LOG_LEVEL: 'loud',
    }
    for (const [name, value] of Object.entries(wrong)) {
      const { status, stderr } = millseal(['serve'], { [name]: value })
      assert.equal(status, 2, name)
      assert.match(stderr, new RegExp(`^millseal: ${name}: expected [^\n]+\n$`))
      assert.ok(!stderr.includes('hunter2'))
    }
  })
})
