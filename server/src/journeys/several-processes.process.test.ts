import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Client, createClient } from '@millseal/sdk'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'
import { newApplication, newOwner, type Owner } from '../../test/machines.ts'
import { assertRefused } from '../../test/refusal.ts'
import { type ServerProcess, startServer } from '../../test/server-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../test/temporary-folder.ts'

let server: TestServer
let folder: TemporaryFolder
let other: ServerProcess
let owner: Owner

before(async () => {
  const masterKey = randomBytes(32).toString('base64')
  server = await startOwnServer({ environment: { MILLSEAL_MASTER_KEY: masterKey } })
  folder = await makeTemporaryFolder()
  other = await startServer({
    DATABASE_URL: server.config.databaseUrl ?? '',
    MILLSEAL_DATA_DIR: folder.path,
    MILLSEAL_MASTER_KEY: masterKey,
    MILLSEAL_PUBLIC_URL: server.url,
    // The test reads the mails in the folder of the first server.
    MILLSEAL_ROLES: 'api',
  })
  owner = await newOwner(server, 'two-servers')
})
after(async () => {
  await other[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const at = (baseUrl: string, accessToken?: string): Client =>
  createClient({ baseUrl, ...(accessToken === undefined ? {} : { accessToken }) })

describe('two server processes on one database', () => {
  test('give an application the same token', async () => {
    const { clientId, clientSecret } = await newApplication(server, owner)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        at(index % 2 === 0 ? server.url : other.url).createToken({ body: { clientId, clientSecret } }),
      ),
    )
    assert.equal(new Set(answers.map(({ accessToken }) => accessToken)).size, 1)
  })

  test('both refuse the old token as soon as one has rotated the secret', async () => {
    const application = await newApplication(server, owner)
    const { clientId, clientSecret } = application
    const { accessToken } = await at(other.url).createToken({ body: { clientId, clientSecret } })
    const read = (url: string) => at(url, accessToken).readCompany({ params: { id: owner.company.id } })
    assert.equal((await read(server.url)).id, owner.company.id)
    assert.equal((await read(other.url)).id, owner.company.id)
    await at(server.url, owner.admin.accessToken).rotateApplicationSecret({
      params: { id: application.id },
      company: owner.company.id,
    })
    await assertRefused(read(other.url), 'token_invalid')
    await assertRefused(read(server.url), 'token_invalid')
    await assertRefused(at(other.url).createToken({ body: { clientId, clientSecret } }), 'credentials_wrong')
  })

  test('limit a company to six applications together', async () => {
    const { admin, company } = await newOwner(server, 'twelve-wanted')
    const create = (url: string) =>
      at(url, admin.accessToken)
        .createApplication({
          company: company.id,
          body: { description: 'one of many', mode: 'test', scopes: {} },
        })
        .then(
          () => true,
          () => false,
        )
    const created = await Promise.all(
      Array.from({ length: 12 }, (_, index) => create(index % 2 === 0 ? server.url : other.url)),
    )
    assert.equal(created.filter(Boolean).length, 6)
  })
})
