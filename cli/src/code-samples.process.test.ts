import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import { promisify } from 'node:util'

test('the commands in the API reference exist, with their options and arguments', async () => {
  const file = fileURLToPath(import.meta.resolve('@millseal/contract/openapi.json'))
  const { paths } = JSON.parse(await readFile(file, 'utf8')) as {
    readonly paths: Readonly<
      Record<
        string,
        Readonly<
          Record<
            string,
            { readonly 'x-codeSamples'?: readonly { readonly label: string; readonly source: string }[] }
          >
        >
      >
    >
  }
  const sources = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap((operation) => operation['x-codeSamples'] ?? [])
    .flatMap(({ label, source }) => (label === 'CLI' ? [source] : []))
  assert.ok(sources.length >= 8, String(sources.length))
  for (const source of sources) {
    const [, ...words] = source.split(' ')
    const help = await promisify(execFile)(process.execPath, [
      join(import.meta.dirname, 'main.ts'),
      ...words.slice(0, words[0] === 'schemas' ? 2 : 1),
      '--help',
    ])
    const [usage = ''] = help.stdout.split('\n', 1)
    const options = words.filter((word) => word.startsWith('--'))
    for (const [, required = ''] of usage.replaceAll(/\[[^\]]*\]/g, '').matchAll(/(--[\w-]+)/g))
      assert.ok(options.includes(required), `${source}: ${required}`)
    for (const option of options) assert.match(help.stdout, new RegExp(`${option}\\b`), source)
    const wanted = /millseal \w+(?: (?:add|list|remove))?((?: <[^>]+>)*)/.exec(help.stdout)?.[1] ?? ''
    const values = words.filter(
      (word, at) => !word.startsWith('-') && !/^--(?!wait)/.test(words[at - 1] ?? ''),
    )
    const args = values.length - (words[0] === 'schemas' ? 2 : 1)
    assert.equal(args, [...wanted.matchAll(/</g)].length, `${source}\n${help.stdout.slice(0, 200)}`)
  }
})
