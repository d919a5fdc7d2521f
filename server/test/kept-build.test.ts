import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { keep, keptFolder } from './kept-build.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

test('a build is kept outside the checkout', () => {
  const folder = keptFolder('program', 'v1')
  assert.ok(folder.endsWith(`program/v1-${process.platform}-${process.arch}`))
  assert.ok(!folder.startsWith(join(import.meta.dirname, '../..')))
})

test('a build that several make side by side is whole, made by one of them, and made once', async () => {
  await using parent = await makeTemporaryFolder()
  const folder = join(parent.path, 'program', 'v1')
  const reached = Promise.withResolvers<void>()
  let makers = 0
  const build = (name: string) =>
    keep(folder, async (unfinished) => {
      await writeFile(join(unfinished, 'begun'), name)
      makers += 1
      if (makers === 3) reached.resolve()
      await reached.promise
      await writeFile(join(unfinished, 'ended'), name)
    })
  await Promise.all(['one', 'two', 'three'].map(build))
  assert.deepEqual(await readdir(join(parent.path, 'program')), ['v1'])
  const maker = await readFile(join(folder, 'begun'), 'utf8')
  assert.equal(await readFile(join(folder, 'ended'), 'utf8'), maker)
  await build('four')
  assert.equal(makers, 3)
})

test('a build that fails leaves nothing, and the next one makes it', async () => {
  await using parent = await makeTemporaryFolder()
  const folder = join(parent.path, 'program', 'v1')
  const failing = keep(folder, async (unfinished) => {
    await writeFile(join(unfinished, 'half'), '')
    throw new Error('no compiler')
  })
  await assert.rejects(failing, /no compiler/)
  assert.deepEqual(await readdir(join(parent.path, 'program')), [])
  await keep(folder, (unfinished) => writeFile(join(unfinished, 'whole'), ''))
  assert.deepEqual(await readdir(folder), ['whole'])
})
