import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type SharedPostgres, startSharedPostgres } from '../../../server/test/shared-postgres.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../../server/test/temporary-folder.ts'
import { runTests } from './mutant-run.ts'

let postgres: SharedPostgres
let home: TemporaryFolder
before(async () => {
  postgres = await startSharedPostgres()
  home = await makeTemporaryFolder()
  await mkdir(join(home.path, 'checkout'))
})
after(async () => {
  await home[Symbol.asyncDispose]()
  await postgres[Symbol.asyncDispose]()
})

const start = "import { test } from 'node:test'\nimport { writeFileSync } from 'node:fs'\n"
const patientMs = 600_000

type Run = {
  readonly files: Readonly<Record<string, string>>
  readonly skip?: string
  readonly silentMs?: number
}

const run = async ({ files, skip, silentMs = patientMs }: Run): Promise<boolean> => {
  const folder = join(home.path, 'checkout')
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), start + text)
  const temporaryFolder = join(home.path, 'temporary')
  const { passed } = await runTests({
    folder,
    temporaryFolder,
    postgres,
    tests: Object.keys(files),
    skip,
    silentMs,
  })
  assert.ok(!existsSync(temporaryFolder), 'what the tests left is removed')
  return passed
}

describe('the tests of a fault', () => {
  test('pass if all of all files do, in the folder and with the database they are given', async () => {
    const second = "test('two', () => writeFileSync('second', process.env.MILLSEAL_TEST_POSTGRES))"
    assert.equal(await run({ files: { 'a.mjs': "test('one', () => {})", 'b.mjs': second } }), true)
    const seen = await readFile(join(home.path, 'checkout/second'), 'utf8')
    assert.equal(seen, postgres.connectionString)
  })

  test('end at the first failure', async () => {
    // The second test never ends, so the run does only if the first ends it.
    const failing = "test('one', () => { throw new Error('no') })"
    const endless = "test('two', () => new Promise(() => setInterval(() => {}, 1_000)))"
    const later = "test('three', () => writeFileSync('late', ''))"
    assert.equal(await run({ files: { 'a.mjs': `${failing}\n${endless}`, 'b.mjs': later } }), false)
    assert.ok(!existsSync(join(home.path, 'checkout/late')))
  })

  test('fail if they are silent for too long', async () => {
    const endless = "test('one', () => new Promise(() => setInterval(() => {}, 1_000)))"
    assert.equal(await run({ files: { 'a.mjs': endless }, silentMs: 2_000 }), false)
  })

  test('leave out the test that is named', async () => {
    const failing = "test('takes minutes', () => { throw new Error('no') })"
    assert.equal(await run({ files: { 'a.mjs': failing }, skip: 'takes minutes' }), true)
  })

  test('leave no database behind', async () => {
    const opening = join(import.meta.dirname, '../../../server/test/database.ts')
    const open = `const { openTestDatabase } = await import(${JSON.stringify(opening)})`
    const abandoning = `${open}
      test('one', async () => { await openTestDatabase({ migrated: false }); throw new Error('no') })`
    const counting = `${open}
      test('two', async () => {
        await using database = await openTestDatabase({ migrated: false })
        const all = await database.query.selectFrom('pg_database').select('datname').execute()
        if (all.filter(({ datname }) => datname.startsWith('test_')).length !== 1) throw new Error('no')
      })`
    assert.equal(await run({ files: { 'a.mjs': abandoning } }), false)
    assert.equal(await run({ files: { 'a.mjs': counting } }), true)
  })
})
