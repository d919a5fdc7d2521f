import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import {
  acceptCertificate,
  type CertificateProcess,
  openCertificateProcess,
  storedCertificate,
} from '../../../../test/certificate-service.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { addressOf, startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import type { Database } from '../../../ports/database/database.ts'
import { endNotarizations } from './progress.store.ts'
import { claimNotarizations, releaseNotarizations, scheduleNotarizations } from './queue.store.ts'
import { beyondAnyDelayMs, maxAttempts, retryDelayMs } from './retry-delay.ts'
import { takeTurns } from './turns.ts'

let database: Database
let server: TestServer
let process: CertificateProcess
/** By id, the order in which claims visit them. */
let mills: readonly Owner[]
const identities = new Map<string, string>()

before(async () => {
  database = await openTestDatabase()
  const databaseUrl = addressOf(database)
  {
    await using complete = await startOwnServer({ databaseUrl })
    const owners: Owner[] = []
    for (const name of ['busy-mill', 'quiet-mill', 'third-mill']) owners.push(await newOwner(complete, name))
    mills = owners.toSorted((one, other) => (one.company.id < other.company.id ? -1 : 1))
    for (const { admin, company } of mills) {
      const identity = await newIdentity(complete.client(admin.accessToken), company.id)
      identities.set(company.id, identity.id)
    }
  }
  // Without a worker: to one, what is due so far ahead was planned by a wrong clock.
  server = await startOwnServer({ databaseUrl, environment: { MILLSEAL_ROLES: 'api' } })
  process = await openCertificateProcess(server)
})
after(async () => {
  await process[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const now = new Date('2100-01-01T00:00:00Z')
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000)

/** Due since a second per certificate, the first one the longest. */
const waiting = async ({ company }: Owner, count: number, mode: Mode = 'test'): Promise<string[]> => {
  const ids: string[] = []
  for (let number = 0; number < count; number += 1) {
    const identityId = identities.get(company.id) ?? ''
    const id = await acceptCertificate(process.deps, {
      companyId: company.id,
      identityId,
      certificate: sampleCertificate(),
    })
    await process.deps.database.query
      .updateTable('certificates')
      .set({ nextAttemptAt: later(number - count), mode })
      .where('id', '=', id)
      .execute()
    ids.push(id)
  }
  return ids
}

type Other = {
  readonly at?: Date
  readonly afterCompany?: string | undefined
  readonly except?: readonly string[]
}

const look = (limit: number, { at = now, afterCompany, except = [] }: Other = {}) =>
  claimNotarizations(process.deps.database.query, {
    now: at,
    leaseUntil: new Date(at.getTime() + 30_000),
    latest: new Date(at.getTime() + beyondAnyDelayMs),
    except,
    limit,
    afterCompany,
  })

const claim = async (limit: number, other?: Other) => (await look(limit, other)).claimed

const end = async (ids: readonly string[]): Promise<void> => {
  const { query } = process.deps.database
  await query
    .updateTable('certificates')
    .set({ state: 'running' })
    .where('id', 'in', [...ids])
    .execute()
  for (const id of ids)
    await endNotarizations(query, [{ id, state: 'failed', error: 'done', reasons: null }], now)
}

describe('the queue of notarizations', () => {
  test('gives each company a turn, with its oldest certificate first', async () => {
    const [busy, quiet, third] = mills as [Owner, Owner, Owner]
    const many = await waiting(busy, 6)
    const two = await waiting(quiet, 2)
    const one = await waiting(third, 1)
    const claimed = (await claim(6)).map(({ id }) => id)
    assert.deepEqual(new Set(claimed), new Set([...many.slice(0, 3), ...two, ...one]))
    assert.deepEqual(new Set((await claim(6)).map(({ id }) => id)), new Set(many.slice(3)))
    await end([...many, ...two, ...one])
  })

  test('has those of a company in live mode before all in test mode, and other companies wait for neither', async () => {
    const [busy, other] = mills as [Owner, Owner, Owner]
    const tests = await waiting(busy, 4)
    const live = await waiting(busy, 3, 'live')
    const others = await waiting(other, 2)
    const claimed = async (limit: number) => new Set((await claim(limit)).map(({ id }) => id))
    assert.deepEqual(await claimed(3), new Set([live[0], live[1], others[0]]))
    assert.deepEqual(await claimed(3), new Set([live[2], tests[0], others[1]]))
    assert.deepEqual(await claimed(9), new Set(tests.slice(1)))
    await end([...tests, ...live, ...others])
  })

  test('continues after the last company that had its turn', async () => {
    const [first, second] = mills as [Owner, Owner, Owner]
    const ahead = await waiting(first, 1)
    const behind = await waiting(second, 1)
    const claimed = await claim(5, { afterCompany: first.company.id })
    assert.deepEqual(
      claimed.map(({ id }) => id),
      behind,
    )
    await end([...ahead, ...behind])
  })

  test('reaches a company behind 64 others whose retries are planned for later', async () => {
    const { company } = mills[0] as Owner
    const { query } = process.deps.database
    const due = await waiting(mills[0] as Owner, 1)
    // Their ids come before all others.
    await sql`
      insert into companies select (jsonb_populate_record(c, jsonb_build_object(
        'id', '00000000-0000-4000-8000-' || lpad(n::text, 12, '0'), 'vat_id', n))).*
      from companies c, generate_series(1, 64) n where c.id = ${company.id}`.execute(query)
    await sql`
      insert into certificates select (jsonb_populate_record(c, jsonb_build_object(
        'id', o.id, 'company_id', o.id, 'hash', o.id, 'next_attempt_at', ${later(60)}::timestamptz))).*
      from certificates c, companies o where c.id = ${due[0]} and o.id < '00000001-0000-0000-0000-000000000000'`.execute(
      query,
    )
    const claimed: string[] = []
    const takeTurn = takeTurns((limit, afterCompany) => look(limit, { afterCompany }))
    for (let mayBeMore = true; mayBeMore; ) {
      const turn = await takeTurn(24)
      claimed.push(...turn.claimed.map(({ id }) => id))
      mayBeMore = turn.mayBeMore
    }
    assert.deepEqual(claimed, due)
    await query
      .deleteFrom('companies')
      .where(
        'vatId',
        'in',
        Array.from({ length: 64 }, (_, n) => String(n + 1)),
      )
      .execute()
    await end(due)
  })

  test('gives concurrent claims different certificates', async () => {
    const ids = await waiting(mills[0] as Owner, 12)
    const claims = await Promise.all(Array.from({ length: 4 }, () => claim(3)))
    const claimed = claims.flat().map(({ id }) => id)
    assert.equal(new Set(claimed).size, claimed.length)
    assert.ok(claimed.every((id) => ids.includes(id)))
    await end(ids)
  })

  test('gives a certificate to another worker when the lease ends, and not before', async () => {
    const [id = ''] = await waiting(mills[0] as Owner, 1)
    assert.deepEqual((await claim(1))[0]?.attempts, 1)
    assert.deepEqual(await claim(1, { at: later(29) }), [])
    await scheduleNotarizations(process.deps.database.query, [id], later(60))
    assert.deepEqual(await claim(1, { at: later(31) }), [], 'the lease was renewed')
    assert.deepEqual((await claim(1, { at: later(61) }))[0]?.attempts, 2)
    await end([id])
  })

  test('has what is later than any schedule plans, after what is due, and nothing that the worker runs itself', async () => {
    const ids = await waiting(mills[0] as Owner, 4)
    const [longest = '', beyond = '', own = '', due = ''] = ids
    const plan = (id: string, afterMs: number) =>
      scheduleNotarizations(process.deps.database.query, [id], new Date(now.getTime() + afterMs))
    assert.equal((await claim(4)).length, 4)
    await plan(longest, beyondAnyDelayMs)
    for (const id of [beyond, own]) await plan(id, beyondAnyDelayMs + 1)
    await plan(due, 0)
    const claimed = async (limit: number) => (await claim(limit, { except: [own] })).map(({ id }) => id)
    assert.deepEqual(await claimed(1), [due])
    assert.deepEqual(await claimed(4), [beyond])
    assert.deepEqual(
      (await claim(4)).map(({ id }) => id),
      [own],
      'another worker',
    )
    await end(ids)
  })

  test('does not count an attempt that was cut short, and offers it again at once', async () => {
    const [id = ''] = await waiting(mills[0] as Owner, 1)
    await claim(1)
    await releaseNotarizations(process.deps.database.query, [id], now)
    const [again] = await claim(1)
    assert.deepEqual([again?.id, again?.attempts], [id, 1])
    await end([id])
  })

  test('forgets a certificate that has ended, whatever a late worker schedules', async () => {
    const [id = ''] = await waiting(mills[0] as Owner, 1)
    await end([id])
    await scheduleNotarizations(process.deps.database.query, [id], now)
    await releaseNotarizations(process.deps.database.query, [id], now)
    assert.equal((await storedCertificate(process.deps, id)).nextAttemptAt, null)
    assert.deepEqual(await claim(1, { at: later(3_600) }), [])
  })
})

test('the pause before a retry doubles, up to six hours, and all of them last for most of a day', () => {
  const hourMs = 3_600_000
  assert.deepEqual([retryDelayMs(1, 0), retryDelayMs(1, 1), retryDelayMs(4, 0)], [2_000, 4_000, 16_000])
  assert.equal(retryDelayMs(maxAttempts, 1), 6 * hourMs)
  const pauses = Array.from({ length: maxAttempts - 1 }, (_, attempt) => retryDelayMs(attempt + 1, 0.5))
  const total = pauses.reduce((sum, ms) => sum + ms, 0)
  assert.ok(total > 10 * hourMs && total < 24 * hourMs, `${total / hourMs} h`)
})
