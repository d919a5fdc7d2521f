import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { type JsonValue, readPolicy, verifyBundle } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { sampleCertificate } from '../../test/certificates.ts'
import { openTestDatabase } from '../../test/database.ts'
import { endedNotarization } from '../../test/signers.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'
import { addressOf, startOwnServer, type TestServer } from '../../test/test-server.ts'
import { createFolderFiles } from '../adapters/files/folder.ts'
import { switchTo } from '../adapters/files/installation.ts'
import { openBackupSource } from '../compose/backup-places.ts'
import { logFolder } from '../compose/files.ts'
import { loadBackup } from '../compose/load-backup.ts'
import { verifyLogsIn } from '../compose/log-commands.ts'
import { restore } from '../compose/restore.ts'
import { storeFiles, tablesFirst } from '../compose/restored-files.ts'
import { verifyBackup } from '../compose/verify-backup.ts'
import { readConfig } from '../config.ts'
import type { Database } from '../ports/database/database.ts'
import type { Files } from '../ports/files/files.ts'

const releases = join(import.meta.dirname, '../../test/releases')
const onProgress = (): void => {}

type Known = Readonly<
  Record<
    'username' | 'password' | 'company' | 'clientId' | 'clientSecret' | 'identity' | 'hash' | 'transactionId',
    string
  >
>

/** What a release left behind, and an empty database and folder. */
const openRelease = async (archive: string) => {
  await using opening = new AsyncDisposableStack()
  const { path } = opening.use(await makeTemporaryFolder())
  const database = opening.use(await openTestDatabase({ migrated: false }))
  await promisify(execFile)('tar', ['-xzf', join(releases, archive), '-C', path])
  const environment = {
    DATABASE_URL: addressOf(database),
    MILLSEAL_DATA_DIR: join(path, 'data'),
    MILLSEAL_KNOWN_CHECKPOINTS: join(path, 'known'),
    MILLSEAL_FILES: 'folder',
    MILLSEAL_MASTER_KEY: Buffer.alloc(32, 'test').toString('base64'),
  }
  const opened = opening.move()
  return {
    database,
    environment,
    config: readConfig(environment),
    backup: join(path, 'backup'),
    known: JSON.parse(await readFile(join(path, 'known.json'), 'utf8')) as Known,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** A person and a machine sign in, the old certificate is proven, and a new one is notarized. */
const assertInUse = async (server: TestServer, known: Known): Promise<void> => {
  const { username, password, company, clientId, clientSecret, identity, hash, transactionId } = known
  const { accessToken } = await server.client().login({ body: { username, password } })
  assert.equal((await server.client(accessToken).readCompany({ params: { id: company } })).id, company)
  const token = await server.client().createToken({ body: { clientId, clientSecret } })
  const machine = server.client(token.accessToken)
  const [certificate, ...others] = await machine.listCertificates({ company, query: { mode: 'test' } })
  assert.deepEqual([certificate?.state, certificate?.transactionId, others], ['notarized', transactionId, []])

  const vkey = (await (await fetch(`${server.url}/ledger/test/vkey`)).text()).trim()
  const policy = readPolicy({ logs: [vkey] }, nodePrimitives)
  const bundle = await fetch(`${server.url}/api/certificates/proof/${hash}?mode=test`)
  const given = {
    file: { kind: 'json', hash },
    bundle: (await bundle.json()) as JsonValue,
    policy,
    now: new Date(),
  } as const
  assert.equal(verifyBundle(given, nodePrimitives).verdict, 'test')

  const { jobId } = await machine.notarizeCertificate({
    company,
    query: { mode: 'test', identity },
    document: new Blob([JSON.stringify(sampleCertificate({ number: 'of today' }))], {
      type: 'application/json',
    }),
  })
  const { state, error } = await endedNotarization(machine, { company, jobId })
  assert.equal(state, 'notarized', error)
}

/** A backup leaves out whose files these are. Release 0.1.0 did not say it. */
const markFiles = async (database: Database, files: Files): Promise<void> => {
  const { rows } = await sql<{ found: unknown }>`select to_regclass('installation') as found`.execute(
    database.query,
  )
  if (rows[0]?.found !== null) await database.transaction((tx) => switchTo(tx, files))
}

const archives = (await readdir(releases)).filter((name) => name.endsWith('.tar.gz'))

test('data of every release is there', () => {
  for (const version of ['0.1.0', '0.2.0']) assert.ok(archives.includes(`${version}.tar.gz`))
})

for (const archive of archives)
  describe(`an installation of release ${basename(archive, '.tar.gz')}`, () => {
    test('is used by this release as it is', async () => {
      await using release = await openRelease(archive)
      const { config, database, environment, known } = release
      const source = await openBackupSource(config, { name: release.backup })
      const manifest = await verifyBackup(source, onProgress)
      const { tables, others } = tablesFirst(source.files())
      await loadBackup(database, { manifest, tables, onProgress })
      const root = createFolderFiles(config.dataDir)
      await storeFiles(others, { root, dataDir: config.dataDir, onProgress })
      await markFiles(database, root.within(logFolder))
      {
        await using server = await startOwnServer({ environment, databaseUrl: addressOf(database) })
        await assertInUse(server, known)
      }
      // A second start finds everything migrated.
      await using _again = await startOwnServer({ environment, databaseUrl: addressOf(database) })
      const report = (await verifyLogsIn(config, 'test')).get('test')
      assert.deepEqual(report?.problems, [])
      assert.ok((report?.checkpoint?.size ?? 0) > (manifest.logs.test ?? 0))
    })

    test('is restored by this release from its backup', async () => {
      await using release = await openRelease(archive)
      const { config, database, environment, known } = release
      assert.deepEqual((await restore(config, { name: release.backup })).problems, [])
      await using server = await startOwnServer({ environment, databaseUrl: addressOf(database) })
      await assertInUse(server, known)
    })
  })
