import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createClient, type Client } from '@millseal/sdk'
import { sampleCertificate } from '../../../server/test/certificates.ts'
import { openTestDatabase } from '../../../server/test/database.ts'
import { everyScope, newApplication, newOwner, tokenOf } from '../../../server/test/machines.ts'
import { password } from '../../../server/test/people.ts'
import { freePort, startServer } from '../../../server/test/server-process.ts'
import { endedNotarization, newIdentity } from '../../../server/test/signers.ts'
import { makeTemporaryFolder } from '../../../server/test/temporary-folder.ts'
import { addressOf, startOwnServer } from '../../../server/test/test-server.ts'
import { exportCommit } from './copy-tree.ts'
import { findEarlierCommit } from './earlier-commit.ts'

const root = join(import.meta.dirname, '../../..')
const commit = await findEarlierCommit(root)

const at = (baseUrl: string, accessToken?: string): Client =>
  createClient({ baseUrl, ...(accessToken === undefined ? {} : { accessToken }) })

/** People who register one after the other, at each of these addresses in turn. */
const startLoad = (urls: { now: readonly string[] }) => {
  const failures: unknown[] = []
  const ending = new AbortController()
  let registered = 0
  const done = (async () => {
    for (let number = 0; !ending.signal.aborted; number += 1) {
      const username = `registered-${number}`
      const url = urls.now[number % urls.now.length] ?? ''
      await at(url)
        .registerUser({ body: { username, email: `${username}@example.com`, password } })
        .then(
          () => (registered += 1),
          (error: unknown) => failures.push(error),
        )
    }
  })()
  const end = async (): Promise<void> => {
    ending.abort()
    await done
  }
  return { failures, count: () => registered, end, [Symbol.asyncDispose]: end }
}

describe('a rolling restart', {
  skip: commit === undefined && 'the history of this checkout has no commit with earlier migrations',
}, () => {
  test('from the commit before the last migration to this one loses no request and no notarization', async () => {
    await using folder = await makeTemporaryFolder()
    await using tree = await makeTemporaryFolder()
    await using database = await openTestDatabase({ migrated: false })
    await exportCommit(root, commit ?? '', tree.path)
    const port = String(await freePort())
    const shared = {
      DATABASE_URL: addressOf(database),
      MILLSEAL_DATA_DIR: folder.path,
      MILLSEAL_KNOWN_CHECKPOINTS: join(folder.path, 'known'),
      MILLSEAL_MASTER_KEY: Buffer.alloc(32, 'test').toString('base64'),
      MILLSEAL_PUBLIC_URL: `http://localhost:${port}`,
      MILLSEAL_VIES: 'off',
    }
    await using earlier = await startServer(shared, join(tree.path, 'server/src/main.ts'))
    const urls: { now: readonly string[] } = { now: [earlier.url] }
    await using load = startLoad(urls)

    await using server = await startOwnServer({ environment: { ...shared, MILLSEAL_PORT: port } })
    urls.now = [earlier.url, server.url]
    const owner = await newOwner(server, 'rolling-mill')
    const company = owner.company.id
    const application = await newApplication(server, owner, { scopes: everyScope })
    const token = await tokenOf(server, application)
    const clients = [at(earlier.url, token), at(server.url, token)]
    const identity = await newIdentity(at(server.url, token), company)
    const notarize = (client: Client) =>
      client.notarizeCertificate({
        company,
        query: { mode: 'test', identity: identity.id },
        document: new Blob([JSON.stringify(sampleCertificate())], { type: 'application/json' }),
      })
    for (const [one, other] of [clients, clients.toReversed(), clients])
      if (one !== undefined && other !== undefined) {
        const { jobId } = await notarize(one)
        const { state, error } = await endedNotarization(other, { company, jobId })
        assert.equal(state, 'notarized', error)
      }

    urls.now = [server.url]
    earlier.child.kill('SIGTERM')
    const [status] = (await once(earlier.child, 'exit')) as [number | null]
    assert.equal(status, 0)
    const { jobId } = await notarize(at(server.url, token))
    assert.equal((await endedNotarization(at(server.url, token), { company, jobId })).state, 'notarized')
    await load.end()
    assert.deepEqual(load.failures, [])
    assert.ok(load.count() > 0)
  })
})
