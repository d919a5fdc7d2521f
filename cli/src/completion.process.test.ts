import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'

const main = join(import.meta.dirname, 'main.ts')
const run = promisify(execFile)
const millseal = async (...args: readonly string[]): Promise<string> =>
  (await run(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args])).stdout

const wordsAfter = async (...typed: readonly string[]): Promise<readonly string[]> =>
  (await millseal('completion', 'words', '--', ...typed)).split('\n').map((line) => line.split('\t')[0] ?? '')

describe('completion', () => {
  test('offers commands, verbs, options that are not there yet, and their values', async () => {
    const commands = await wordsAfter('ver')
    for (const name of ['verify', 'verify-page', 'recovery-key', 'help']) assert.ok(commands.includes(name))
    assert.deepEqual(await wordsAfter('schemas', ''), ['add', 'list', 'remove', ''])
    assert.ok((await wordsAfter('help', '')).includes('doctor'))
    const options = await wordsAfter('verify', 'a.pdf', '--bundle', 'b.json', '')
    assert.ok(options.includes('--policy'))
    assert.ok(!options.includes('--bundle'))
    assert.deepEqual(await wordsAfter('notarize', 'a.json', '--mode', ''), ['test', 'live', ''])
    for (const typed of [
      ['unknown', ''],
      ['schemas', 'unknown', ''],
      ['verify', '--bundle', ''],
    ])
      assert.deepEqual(await wordsAfter(...typed), [''], typed.join(' '))
  })

  test('of bash completes what is typed', async () => {
    const script = `
      millseal() { '${process.execPath}' --disable-warning=ExperimentalWarning '${main}' "$@"; }
      source <(millseal completion bash)
      complete -p millseal
      COMP_WORDS=(millseal notarize a.json --mo) COMP_CWORD=3; _millseal; echo "\${COMPREPLY[@]}"
      COMP_WORDS=(millseal schemas re) COMP_CWORD=2; _millseal; echo "\${COMPREPLY[@]}"`
    const { stdout } = await run('bash', ['-c', script])
    assert.deepEqual(stdout.split('\n'), [
      'complete -o default -F _millseal millseal',
      '--mode',
      'remove',
      '',
    ])
  })

  test('names the shells that it knows', async () => {
    await assert.rejects(millseal('completion', 'powershell'), {
      code: 2,
      stderr: /<shell> must be bash or zsh or fish, not powershell/,
    })
  })

  test('is not needed for help: help <command> prints that of the command', async () => {
    assert.equal(await millseal('help', 'verify'), await millseal('verify', '--help'))
    assert.equal(await millseal('help', 'schemas', 'add'), await millseal('schemas', 'add', '--help'))
  })
})
