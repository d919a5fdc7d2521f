import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { bundlesOf } from './bundled.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const bundledModule = join(import.meta.dirname, 'bundled.ts')

/** The path of the bundle, and what it prints; asked for in a process of its own, because one remembers its bundles. */
const bundleAndRun = async (program: string): Promise<{ path: string; printed: string }> => {
  const ask = `const { bundled } = await import(process.argv[1]); process.stdout.write(await bundled(process.argv[2]))`
  const given = ['--input-type=module', '-e', ask, bundledModule, program]
  const path = (await promisify(execFile)(process.execPath, given)).stdout
  return { path, printed: (await promisify(execFile)(process.execPath, [path])).stdout.trim() }
}

test('a bundle does what its sources do, at their place, and is built again after one of them changed', async () => {
  await using folder = await makeTemporaryFolder()
  const program = join(folder.path, 'program.ts')
  const part = join(folder.path, 'part.ts')
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rm(bundlesOf(program), { recursive: true }))
  await writeFile(part, `export const word: string = 'first'`)
  await writeFile(
    program,
    `import { word } from './part.ts'\nconsole.log(word, import.meta.dirname, import.meta.filename)`,
  )
  const first = await bundleAndRun(program)
  assert.equal(first.printed, `first ${folder.path} ${program}`)
  assert.equal((await bundleAndRun(program)).path, first.path)
  await writeFile(part, `export const word: string = 'other'`)
  const [other, same] = await Promise.all([bundleAndRun(program), bundleAndRun(program)])
  assert.equal(other.printed, `other ${folder.path} ${program}`)
  assert.equal(same.path, other.path)
})
