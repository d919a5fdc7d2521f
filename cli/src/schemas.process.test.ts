import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { millseal, settingsIn, temporaryFolder } from '../test/millseal.ts'

type Added = { name: string; schemas: { type: string }[]; refused: { file: string; reasons: string[] }[] }

const $schema = 'https://json-schema.org/draft/2020-12/schema'
const valve = (version: string, rest: object = {}): string =>
  JSON.stringify({
    $schema,
    $id: `https://example.org/valve-schemas/v${version}/schema.json`,
    type: 'object',
    ...rest,
  })

test('schemas are imported from a folder or archive, listed and removed', async () => {
  await using temporary = await temporaryFolder()
  const folder = temporary.path
  const environment = settingsIn(join(folder, 'data'))
  const run = (...args: readonly string[]) => millseal(['schemas', ...args], { environment })
  const files = { 'Valve/v1.0.0': valve('1.0.0'), 'Valve/v2.0.0': valve('2.0.0', { pattern: '(?=a)' }) }
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, 'repository', path, 'schema.json')
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }

  const some = await run('add', join(folder, 'repository'), '--json')
  assert.equal(some.status, 1)
  const added = JSON.parse(some.stdout) as Added
  assert.deepEqual(
    added.schemas.map(({ type }) => type),
    ['valve-schemas'],
  )
  assert.match(some.stderr, /Checking schema 1 of 2: Valve\/v1\.0\.0\/schema\.json/)
  assert.deepEqual(
    added.refused.map(({ file }) => file),
    ['Valve/v2.0.0/schema.json'],
  )
  const printed = await run('add', join(folder, 'repository'))
  assert.equal(printed.status, 1)
  assert.match(
    printed.stdout,
    /valve-schemas 1\.0\.0\nRefused:\n {2}Valve\/v2\.0\.0\/schema\.json: #.*pattern/,
  )

  const archive = join(folder, 'valve.tar.gz')
  execFileSync('tar', ['-czf', archive, '-C', join(folder, 'repository'), 'Valve/v1.0.0'])
  const all = await run('add', archive)
  assert.equal(all.status, 0, all.stderr)
  assert.equal(all.stdout, `Imported ${added.name}:\n  valve-schemas 1.0.0\n`)

  const removed = await run('remove', added.name)
  assert.equal(removed.status, 0, removed.stderr)
  assert.equal((await run('list')).stdout, 'There are no imported schemas.\n')
  const again = await run('remove', added.name)
  assert.equal(again.status, 1)
  assert.match(again.stderr, /^millseal: There is no pack pack-[0-9a-f]{16}; try millseal schemas list\n$/)
  const neither = await run('add', join(folder, 'repository/Valve/v1.0.0/schema.json'))
  assert.equal(neither.status, 1)
  assert.match(neither.stderr, /neither a zip nor a gzipped tar archive/)
})
