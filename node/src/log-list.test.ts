import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatNoteKey } from '@millseal/proof'
import { createTestLog } from '@millseal/proof/testing'
import { lockFolder } from './lock-folder.ts'
import { parseLogList } from './log-list.ts'

const { vkey } = createTestLog('mill.example/ledger/live')
const section = `vkey ${vkey}\norigin mill.example/ledger/live\nqpd 345600\ncontact Mill, https://mill.example\n#url https://mill.example/ledger/live/\n`
const list = `# of the mill\nlogs/v0\n\n${section}`

describe('a list of logs', () => {
  test('gives the key and the address of each log', () => {
    const [log] = parseLogList(list)
    assert.deepEqual([log && formatNoteKey(log.key), log?.url], [vkey, 'https://mill.example/ledger/live'])
  })

  test('is refused with the number of the line', () => {
    for (const [text, why] of [
      ['', /^line 0: expected logs\/v0/],
      ['logs/v1\n', /^line 1: expected logs\/v0/],
      ['logs/v0\n', /names no log/],
      [list.replace('vkey mill', 'vkey mull'), /^line 4: /],
      [list.replace('origin mill', 'origin mull'), /^line 4: .* not that of the origin/],
      [list.replace('https://mill.example/ledger', 'ftp://mill.example'), /^line 8: expected #url/],
      [list.replace('#url', '#address'), /^line 4: .* needs a line "#url/],
      [list + section, /is listed twice/],
    ] as const)
      assert.throws(() => parseLogList(text), { name: 'LogListUnreadable', message: why })
  })
})

test('a folder has one node at a time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millseal-node-'))
  {
    using _held = lockFolder(folder)
    assert.throws(() => lockFolder(folder), /Another node uses the folder/)
  }
  lockFolder(folder)[Symbol.dispose]()
  await rm(folder, { recursive: true })
})
