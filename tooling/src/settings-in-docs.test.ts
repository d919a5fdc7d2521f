import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { settingsHelp } from '../../server/src/config.ts'

const page = 'docs/operating.md'

/** Settings of the help that no table row of the page has in its first column. */
const undocumented = (help: string, text: string): string[] => {
  const cells = text.split('\n').map((line) => line.split('|')[1] ?? '')
  return namesIn(help).filter((name) => !cells.some((cell) => cell.includes(`\`${name}\``)))
}

const namesIn = (help: string): string[] =>
  [...help.matchAll(/^ +([A-Z][A-Z0-9_]+)(?: \(|$)/gm)].map(([, name = '']) => name)

describe('the settings', () => {
  test(`have a row in ${page}`, async () => {
    const text = await readFile(join(import.meta.dirname, '../..', page), 'utf8')
    assert.ok(namesIn(settingsHelp()).length > 30)
    assert.deepEqual(undocumented(settingsHelp(), text), [])
  })

  test('are reported if their row is missing', () => {
    const help = '  MILLSEAL_PORT (8080)\n      TCP port.\n  SMTP_URL\n      Mail server.'
    assert.deepEqual(undocumented(help, '| `MILLSEAL_PORT` | 8080 | port |\nSet `SMTP_URL`.'), ['SMTP_URL'])
  })
})
