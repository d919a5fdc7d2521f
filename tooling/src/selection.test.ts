import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { plant } from './plant.ts'
import { selectWork } from './selection.ts'

const [pure, browser] = ['proof/a.test.ts', 'server/b.browser.test.ts']
const [ofProcess, ofServer] = ['server/c.process.test.ts', 'server/d.server.test.ts']

const select = async (...args: readonly string[]) => {
  using checkout = plant({
    'package.json': '{ "workspaces": ["proof", "server"] }',
    'tsconfig.json': '{ "include": [] }',
    'bench/d.test.ts': '',
    [pure]: '',
    [browser]: '',
    [ofProcess]: '',
    [ofServer]: '',
  })
  const { checks, files } = await selectWork(checkout.root, args)
  return { files: files.toSorted(), hasChecks: checks.length > 0 }
}

const selections: readonly (readonly [args: string, files: readonly string[], hasChecks: boolean])[] = [
  ['', [pure], true],
  ['--browser', [browser], false],
  ['--processes', [ofProcess], false],
  ['--processes --browser', [browser, ofProcess], false],
  ['--servers', [ofServer], false],
  ['--servers --browser', [browser, ofServer], false],
  ['--all', [pure, browser, ofProcess, ofServer], true],
  ['--all --browser', [pure, browser, ofProcess, ofServer], true],
  ['server', [browser, ofProcess, ofServer], false],
  ['server --servers', [ofServer], false],
  ['proof server/*.process.test.ts', [pure, ofProcess], false],
  ['server --browser', [browser], false],
  ['proof --browser', [], false],
  ['nowhere', [], false],
]

describe('script/test', () => {
  for (const [args, files, hasChecks] of selections) {
    test(`${args} runs ${files.join(', ') || 'nothing'}${hasChecks ? ' and the static checks' : ''}`, async () => {
      assert.deepEqual(await select(...args.split(' ').filter(Boolean)), { files, hasChecks })
    })
  }

  test('refuses an option that it does not have', async () => {
    for (const option of ['--browsers', '-b', '--all=yes'])
      await assert.rejects(select(option), {
        message: `There is no option ${option}: script/test --help lists all`,
      })
  })
})
