import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Database } from '../ports/database/database.ts'
import { openTestDatabase } from '../../test/database.ts'
import { eventually } from '../../test/eventually.ts'
import { countPublished } from '../../test/log-size.ts'
import { signUpOperator } from '../../test/people.ts'
import { addressOf, startOwnServer, type TestServer } from '../../test/test-server.ts'

const kinds = ['genuine', 'changed', 'withdrawn'] as const
const on = { MILLSEAL_SAMPLES: 'on' }

const pageOf = async ({ url }: TestServer, path = '/', language = 'en'): Promise<string> =>
  (await fetch(`${url}${path}`, { headers: { accept: 'text/html', 'accept-language': language } })).text()
const offeredBy = async (server: TestServer): Promise<readonly (string | undefined)[]> =>
  [...(await pageOf(server)).matchAll(/href="\/verify\?sample=(\w+)"/g)].map(([, kind]) => kind)
const untilOffered = (server: TestServer) =>
  eventually(async () => (await offeredBy(server)).length > 0, { what: 'the home page offers samples' })
const fileOf = async ({ url }: TestServer, kind: string): Promise<Uint8Array> => {
  const answer = await fetch(`${url}/samples/${kind}.pdf`)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/pdf')
  return new Uint8Array(await answer.arrayBuffer())
}
const recordsIn = ({ url }: TestServer, mode: string): Promise<number> =>
  countPublished(async (path) => (await fetch(`${url}/ledger/${mode}/${path}`)).bytes())

const jobsIn = async ({ query }: Database): Promise<number> =>
  (await sql`select from pgboss.job where name = 'certificate-samples'`.execute(query)).rows.length

type Answer = {
  readonly verdict: string
  readonly isValid: boolean
  readonly hash?: { readonly value: string }
  readonly notes?: readonly { readonly code: string }[]
  readonly answers?: Readonly<Record<string, string>>
}
const verify = async ({ url }: TestServer, pdf: Uint8Array, mode: string): Promise<Answer> => {
  const answer = await fetch(`${url}/api/certificates/verify?mode=${mode}`, {
    method: 'POST',
    headers: { 'content-type': 'application/pdf' },
    body: Buffer.from(pdf),
  })
  return (await answer.json()) as Answer
}

describe('the samples of an installation', () => {
  test('are certificates that any verification calls unchanged, changed and withdrawn, in test mode only', async () => {
    await using server = await startOwnServer({ environment: on })
    await untilOffered(server)
    assert.deepEqual(await offeredBy(server), kinds)
    assert.match(await pageOf(server, '/', 'de'), /Ein geändertes öffnen/)
    const answers: Answer[] = []
    for (const kind of kinds) {
      const pdf = await fileOf(server, kind)
      answers.push(await verify(server, pdf, 'test'))
      assert.equal((await verify(server, pdf, 'live')).isValid, false)
    }
    const [genuine, changed, withdrawn] = answers
    assert.deepEqual([genuine?.verdict, genuine?.isValid], ['test', true])
    assert.deepEqual(genuine?.answers, { unchanged: 'yes', issuer: 'unknown', time: 'yes', status: 'yes' })
    assert.deepEqual(genuine?.notes ?? [], [])
    assert.deepEqual([changed?.verdict, changed?.isValid], ['notFound', false])
    assert.equal(withdrawn?.verdict, 'withdrawn')
    assert.equal(await recordsIn(server, 'live'), 0)
  })

  test('are of nobody: no company, account or use of a quota exists, and no key that could sign again', async () => {
    await using database = await openTestDatabase()
    await using server = await startOwnServer({ environment: on, databaseUrl: addressOf(database) })
    await untilOffered(server)
    for (const table of [
      'companies',
      'users',
      'certificates',
      'identities',
      'wallets',
      'daily_quotas',
      'outbox',
    ]) {
      const { rows } = await sql`select from ${sql.table(table)}`.execute(database.query)
      assert.equal(rows.length, 0, table)
    }
    const operator = server.client((await signUpOperator(server)).accessToken)
    assert.deepEqual(await operator.listReviewQueue({ query: {} }), [])
  })

  test('are made once, by processes that start at the same time and again', async () => {
    await using database = await openTestDatabase()
    const options = { environment: on, databaseUrl: addressOf(database) }
    const files: Uint8Array[] = []
    let jobs: number
    {
      await using one = await startOwnServer(options)
      await using other = await startOwnServer(options)
      await untilOffered(one)
      await untilOffered(other)
      for (const kind of kinds) files.push(await fileOf(one, kind))
      assert.equal(await recordsIn(one, 'test'), 3)
      jobs = await jobsIn(database)
    }
    await using again = await startOwnServer(options)
    assert.deepEqual(await offeredBy(again), kinds)
    for (const [index, kind] of kinds.entries()) assert.deepEqual(await fileOf(again, kind), files[index])
    assert.equal(await recordsIn(again, 'test'), 3)
    assert.equal(await jobsIn(database), jobs)
  })

  test('that were stored before a process ended are recorded as they are', async () => {
    await using database = await openTestDatabase()
    const options = { environment: on, databaseUrl: addressOf(database) }
    let before: Uint8Array
    {
      await using server = await startOwnServer(options)
      await untilOffered(server)
      before = await fileOf(server, 'genuine')
      await sql`update samples set recorded_at = null`.execute(database.query)
    }
    await using server = await startOwnServer(options)
    await untilOffered(server)
    assert.deepEqual(await fileOf(server, 'genuine'), before)
    assert.equal(await recordsIn(server, 'test'), 3)
  })

  test('do not exist if the operator does not want them, nor any link to them', async () => {
    await using database = await openTestDatabase()
    const databaseUrl = addressOf(database)
    await using off = await startOwnServer({ databaseUrl })
    const assertNone = async (): Promise<void> => {
      assert.deepEqual(await offeredBy(off), [])
      assert.doesNotMatch(await pageOf(off), /sample/)
      assert.doesNotMatch(await pageOf(off, '/verify?sample=genuine'), /sample-/)
      for (const kind of kinds) assert.equal((await fetch(`${off.url}/samples/${kind}.pdf`)).status, 404)
    }
    await assertNone()
    assert.equal((await sql`select from samples`.execute(database.query)).rows.length, 0)
    assert.equal(await recordsIn(off, 'test'), 0)
    await using wanted = await startOwnServer({ databaseUrl, environment: on })
    await untilOffered(wanted)
    await assertNone()
  })
})
