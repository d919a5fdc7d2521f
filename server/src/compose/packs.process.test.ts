import assert from 'node:assert/strict'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { createClient } from '@millseal/sdk'
import { createRegistry, openPackStore, type PackFiles } from '@millseal/families'
import { filesOf, zipOf } from '@millseal/families/testing/archives'
import { eventually } from '../../test/eventually.ts'
import { openInstallation, startOn } from '../../test/installation.ts'
import { outcomesOf } from '../../test/refusal.ts'
import { lacksS3, startS3, type TestS3 } from '../../test/s3-server.ts'
import { startServer } from '../../test/server-process.ts'
import { addressOf } from '../../test/test-server.ts'
import type { Config } from '../config.ts'
import { type FilesKind, filesKinds } from '../ports/files/files.ts'
import { backUp } from './backup.ts'
import { makeOperatorIn } from './commands.ts'
import { openRootAt } from './files.ts'
import { addPackIn, listPacksIn, removePackIn } from './packs.ts'
import { restore } from './restore.ts'

const $schema = 'http://json-schema.org/draft-07/schema#'
const idOf = (version: string) => `https://example.org/valve-schemas/v${version}/schema.json`
const schemaOf = (version: string): string => JSON.stringify({ $schema, $id: idOf(version), type: 'object' })
const silent = { log: { warn: assert.fail }, recheckMs: 0 }

const offered = async (path: string, version: string): Promise<string> => {
  const folder = join(path, `offered-${version}`)
  await mkdir(join(folder, `Valve/v${version}`), { recursive: true })
  await writeFile(join(folder, `Valve/v${version}/schema.json`), schemaOf(version))
  return folder
}

const namesIn = async (config: Config): Promise<readonly string[]> =>
  (await listPacksIn(config)).map(({ name }) => name)

const add = async (config: Config, folder: string): Promise<string> =>
  (await addPackIn(config, folder, () => {})).pack.name

/** Fails like a process that ends before the file with this end is written. */
const cutBefore = (files: PackFiles, end: string): PackFiles => ({
  ...files,
  async put(all) {
    for (const file of all) {
      if (file.name.endsWith(end)) throw new Error('cut')
      await files.put([file])
    }
  },
})

const skipped = await lacksS3()

for (const kind of filesKinds) {
  describe(`imported schemas in ${kind}`, { skip: kind === 's3' && skipped }, () => {
    let s3: TestS3 | undefined
    before(async () => {
      s3 = kind === 's3' ? await startS3() : undefined
    })
    after(() => s3?.[Symbol.asyncDispose]())
    const openOn = (prefix: string) => openInstallation(s3?.settingsOf(prefix))

    test('are in use in other processes while these run, and no longer once they are removed', async () => {
      await using installed = await openOn('used')
      const { database } = installed
      const other = openRootAt(kind, installed.settingsOf(kind), database.query)
      const registry = createRegistry({ packs: other, ...silent })
      assert.equal(await registry.find(idOf('1.0.0')), undefined)
      // With a data folder of its own, like another machine, unless the files are in it.
      const config = installed.settingsOf(kind, kind === 'folder' ? 'data' : 'another')
      const name = await add(config, await offered(installed.path, '1.0.0'))
      assert.ok(await registry.find(idOf('1.0.0')))
      assert.deepEqual(await namesIn(config), [name])
      assert.equal(await removePackIn(config, name), true)
      assert.equal(await registry.find(idOf('1.0.0')), undefined)
      assert.equal(await removePackIn(config, name), false)
    })

    test('that an operator uploads to one server process are used and removed by another one', async () => {
      await using installed = await openOn('uploaded')
      const key = Buffer.alloc(32, 'test').toString('base64')
      const startIn = (folder: string) =>
        startServer({
          ...s3?.settingsOf('uploaded'),
          DATABASE_URL: addressOf(installed.database),
          MILLSEAL_DATA_DIR: join(installed.path, kind === 'folder' ? 'data' : folder),
          MILLSEAL_KNOWN_CHECKPOINTS: join(installed.path, `known-${folder}`),
          MILLSEAL_FILES: kind,
          MILLSEAL_MASTER_KEY: key,
          MILLSEAL_PUBLIC_URL: 'http://localhost:8080',
          MILLSEAL_VIES: 'off',
        })
      await using one = await startIn('one')
      await using other = await startIn('other')
      const { username, password } = await makeOperatorIn(installed.settingsOf(kind), {
        email: 'operator@example.com',
      })
      assert.ok(password)
      const { accessToken } = await createClient({ baseUrl: one.url }).login({
        body: { username, password: password.reveal() },
      })
      const at = (baseUrl: string) => createClient({ baseUrl, accessToken })
      const validated = async (): Promise<unknown> => {
        const certificate = JSON.stringify({ RefSchemaUrl: idOf('1.0.0') })
        const document = new Blob([certificate], { type: 'application/json' })
        return await Promise.all(
          [one.url, other.url].map((url) => outcomesOf([at(url).validateCertificate({ document })])),
        )
      }
      const [unknown, used] = [{ schema_unknown: 1 }, { ok: 1 }].map((outcome) => [outcome, outcome])
      assert.deepEqual(await validated(), unknown)
      const archive = new Uint8Array(zipOf(filesOf({ 'Valve/v1.0.0/schema.json': schemaOf('1.0.0') })))
      const { name } = await at(one.url).importPack({
        document: new Blob([archive], { type: 'application/zip' }),
      })
      await eventually(async () => isDeepStrictEqual(await validated(), used))
      assert.equal(await at(other.url).removePack({ params: { name } }), name)
      await eventually(async () => isDeepStrictEqual(await validated(), unknown))
      assert.deepEqual(await at(one.url).listPacks(), [])
    })

    test('stay as they were if an import is cut before any of its files, and the import can be repeated', async () => {
      await using installed = await openOn('cut')
      const files = openRootAt(kind, installed.settingsOf(kind), installed.database.query)
      const store = openPackStore(files)
      const archive = zipOf(
        filesOf({
          'Valve/v1.0.0/schema.json': schemaOf('1.0.0'),
          'Valve/v2.0.0/schema.json': schemaOf('2.0.0'),
        }),
      )
      const checked = await store.check({ offer: { archive } })
      const earlier = await store.check({
        offer: { archive: zipOf(filesOf({ 'Valve/v0.1.0/schema.json': schemaOf('0.1.0') })) },
      })
      const first = await store.store(earlier, new Date())
      const registry = createRegistry({ packs: files, ...silent })
      for (const end of ['v1.0.0/schema.json', 'v2.0.0/schema.json', 'manifest.json']) {
        await assert.rejects(openPackStore(cutBefore(files, end)).store(checked, new Date()), /cut/)
        assert.deepEqual(await store.list(), [first], end)
        assert.equal(await registry.find(idOf('1.0.0')), undefined, end)
      }
      const stored = await store.store(checked, new Date())
      assert.deepEqual(await store.list(), [first, stored])
      assert.ok(await registry.find(idOf('2.0.0')))
    })

    test('are stored once if several processes import the same at the same time', async () => {
      await using installed = await openOn('once')
      const folder = await offered(installed.path, '1.0.0')
      const config = installed.settingsOf(kind)
      const names = await Promise.all([1, 2, 3].map(() => add(config, folder)))
      assert.deepEqual(await namesIn(config), [...new Set(names)])
    })

    test('move to another place and back, and are in a backup', async () => {
      await using installed = await openOn('moved')
      const away: FilesKind = kind === 'folder' ? 'postgres' : 'folder'
      const [here, there] = [installed.settingsOf(kind), installed.settingsOf(away)]
      await installed.record(here)
      const first = await add(here, await offered(installed.path, '1.0.0'))
      assert.equal((await installed.move(away)).packs, 1)
      await assert.rejects(add(here, join(installed.path, 'offered-1.0.0')), /millseal files move/)
      assert.deepEqual(await namesIn(there), [first])
      const second = await add(there, await offered(installed.path, '2.0.0'))
      assert.equal(await removePackIn(there, first), true)
      assert.equal((await installed.move(kind)).packs, 1)
      assert.deepEqual(await namesIn(here), [second])

      const folder = join(installed.path, 'backup')
      {
        await using _running = await startOn(here)
        await backUp(here, { name: folder, includeKeys: false })
      }
      assert.deepEqual(await readdir(join(folder, 'data/packs')), [second])
      const elsewhere = { databaseUrl: undefined, s3Prefix: 'restored' }
      const target = { ...installed.settingsOf(kind, 'restored'), ...elsewhere }
      assert.deepEqual((await restore(target, { name: folder })).problems, [])
      assert.deepEqual(await namesIn(target), [second])
    })
  })
}
