import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createClient } from '@millseal/sdk'
import { sql } from 'kysely'
import { openTestDatabase } from '../../test/database.ts'
import { eventually } from '../../test/eventually.ts'
import { fakeClock, type FakedClock, lacksFaketime } from '../../test/faked-clock.ts'
import { codeAt, password } from '../../test/people.ts'
import { assertRefused } from '../../test/refusal.ts'
import { type ServerProcess, startServer } from '../../test/server-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../test/temporary-folder.ts'
import { addressOf, linkIn } from '../../test/test-server.ts'
import type { Database } from '../ports/database/database.ts'

const skip = await lacksFaketime()
const username = 'time-traveller'
const minute = 60
const day = 86_400

/** The server as a process whose clock libfaketime moves while it runs. The clock of the database stays right. */
describe('a server whose clock jumps', { skip }, () => {
  let folder: TemporaryFolder
  let database: Database
  let clock: FakedClock
  let server: ServerProcess
  before(async () => {
    folder = await makeTemporaryFolder()
    database = await openTestDatabase()
    clock = await fakeClock(folder.path)
    server = await startServer({
      ...clock.environment,
      DATABASE_URL: addressOf(database),
      MILLSEAL_DATA_DIR: folder.path,
      MILLSEAL_KNOWN_CHECKPOINTS: join(folder.path, 'known'),
      MILLSEAL_MASTER_KEY: Buffer.alloc(32, 'test').toString('base64'),
      MILLSEAL_VIES: 'off',
    })
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
  })

  const client = (accessToken?: string) =>
    createClient({ baseUrl: server.url, ...(accessToken === undefined ? {} : { accessToken }) })
  const signIn = (code?: string) =>
    client().login({ body: { username, password, ...(code === undefined ? {} : { code }) } })
  const refresh = ({ refreshToken }: { refreshToken: string }) =>
    client().refreshSession({ headers: { refresh: `Bearer ${refreshToken}` } })
  const register = async (): Promise<void> => {
    await client().registerUser({ body: { username, email: `${username}@example.com`, password } })
    const mails = join(folder.path, 'mails')
    const written = async () => (await readdir(mails).catch(() => [])).filter((name) => name.endsWith('.eml'))
    await eventually(async () => (await written()).length > 0, { what: () => 'the mail' })
    const [mail = ''] = await written()
    const { pathname, search } = linkIn(await readFile(join(mails, mail), 'utf8'))
    await fetch(new URL(`${pathname}${search}`, server.url), { redirect: 'manual' })
  }
  /** When the last job of a schedule was made, by the clock of the database, which is right. */
  const enqueuedLast = async (): Promise<Date> => {
    const { rows } = await sql<{ at: Date | null }>`
      select max(created_on) as at from pgboss.job where name = 'user-audit-chain'`.execute(database.query)
    return rows[0]?.at ?? new Date(0)
  }

  test('by ten minutes, three days and 200 days keeps and ends what docs/operating.md says', async () => {
    await register()
    const opened = await signIn()
    const { id, secret } = await client(opened.accessToken).createTotp({ body: { name: 'Phone' } })
    await client(opened.accessToken).confirmTotp({
      params: { id },
      body: { code: codeAt(secret, clock.now()) },
    })

    await clock.set(10 * minute)
    assert.ok(await client(opened.accessToken).readMe(), 'a token of 15 minutes')
    await assertRefused(signIn(codeAt(secret, Date.now())), 'credentials_wrong')
    const ahead = await signIn(codeAt(secret, clock.now()))
    assert.ok(await client(ahead.accessToken).readMe())
    await clock.set(0)
    await assertRefused(client(ahead.accessToken).readMe(), 'token_invalid')
    await assertRefused(refresh(ahead), 'token_invalid')
    await assertRefused(signIn(codeAt(secret, clock.now())), 'credentials_wrong')

    await clock.set(3 * day)
    await assertRefused(client(opened.accessToken).readMe(), 'token_expired')
    const refreshed = await refresh(opened)
    assert.ok(await client(refreshed.accessToken).readMe(), 'a session of 60 days')
    const later = await signIn(codeAt(secret, clock.now()))

    await clock.set(200 * day)
    await assertRefused(client(later.accessToken).readMe(), 'token_expired')
    await assertRefused(refresh(later), 'token_invalid')
    const newest = await signIn(codeAt(secret, clock.now()))
    assert.ok(await client(newest.accessToken).readMe())
    const ready = await fetch(`${server.url}/api/ready`)
    assert.match(await ready.text(), /The clock of this machine was set forward by 200 days/)

    await clock.set(-3 * day)
    const setBack = await enqueuedLast()
    for (const { accessToken } of [opened, later, newest])
      await assertRefused(client(accessToken).readMe(), 'token_invalid')
    await eventually(async () => (await enqueuedLast()) > setBack, { what: 'a schedule of every minute' })
  })
})
