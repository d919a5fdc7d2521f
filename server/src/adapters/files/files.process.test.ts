import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openTestDatabase } from '../../../test/database.ts'
import { lacksS3, startS3 } from '../../../test/s3-server.ts'
import { makeTemporaryFolder } from '../../../test/temporary-folder.ts'
import type { Database } from '../../ports/database/database.ts'
import { describeFiles } from '../../ports/files/files.suite.ts'
import { openSession } from '../database/session.ts'
import { createFolderFiles } from './folder.ts'
import { createS3Files } from './s3/s3.ts'
import { createPostgresFiles } from './postgres.ts'

const openSessionOf = async ({ connection }: Database) => {
  const session = await openSession({
    connection,
    applicationName: 'files',
    channels: [],
    onNotification: () => {},
    onLost: () => {},
  })
  return { query: session.query, [Symbol.asyncDispose]: session.close }
}

describeFiles('a folder', async () => {
  await using opening = new AsyncDisposableStack()
  const { path } = opening.use(await makeTemporaryFolder())
  const database = opening.use(await openTestDatabase())
  const opened = opening.move()
  return {
    files: createFolderFiles(path),
    other: createFolderFiles(path),
    session: () => openSessionOf(database),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
})

describeFiles('PostgreSQL', async () => {
  const database = await openTestDatabase()
  return {
    files: createPostgresFiles(database.query),
    other: createPostgresFiles(database.query),
    session: () => openSessionOf(database),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
})

describeFiles(
  'S3',
  async () => {
    await using opening = new AsyncDisposableStack()
    const server = opening.use(await startS3())
    const database = opening.use(await openTestDatabase())
    const opened = opening.move()
    return {
      files: createS3Files(server.placeOf('installations/one')),
      other: createS3Files(server.placeOf('installations/one')),
      session: () => openSessionOf(database),
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  },
  await lacksS3(),
)

describe('files in a folder', () => {
  test('are those that other programs see, without what is unfinished', async () => {
    await using folder = await makeTemporaryFolder()
    const files = createFolderFiles(folder.path).within('ledger')
    await files.put([{ name: 'tile/0/000', bytes: Buffer.from('hashes') }])
    assert.equal(await readFile(join(folder.path, 'ledger/tile/0/000'), 'utf8'), 'hashes')
    await mkdir(join(folder.path, 'ledger/tile/writer.1'))
    await writeFile(join(folder.path, 'ledger/tile/writer.1/part'), '')
    await writeFile(join(folder.path, 'ledger/tile/.part'), '')
    assert.deepEqual(await files.list('tile'), ['tile/0/000'])
  })
})
