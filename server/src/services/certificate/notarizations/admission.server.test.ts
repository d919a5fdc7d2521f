import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Mode } from '@millseal/contract'
import { Client } from 'pg'
import { openCertificateProcess } from '../../../../test/certificate-service.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { eventually } from '../../../../test/eventually.ts'
import { newOwner } from '../../../../test/machines.ts'
import { password } from '../../../../test/people.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'
import { freePort } from '../../../../test/server-process.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { addressOf, startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import type { Database } from '../../../ports/database/database.ts'
import { createAdmission } from './admission.ts'

const names = [
  'flooding',
  'other',
  'both',
  'late',
  'slow',
  'waiting',
  'first-of-many',
  'second-of-many',
] as const

let data: Database
let server: TestServer
let database: Client
const mills = new Map<string, Mill>()
before(async () => {
  data = await openTestDatabase()
  const options = { databaseUrl: addressOf(data), environment: { MILLSEAL_PORT: String(await freePort()) } }
  {
    await using complete = await startOwnServer(options)
    for (const name of names) mills.set(name, await openMill(complete, name))
  }
  server = await startOwnServer({
    ...options,
    // Nobody works off what waits. A minute is 600 certificates.
    environment: {
      ...options.environment,
      MILLSEAL_ROLES: 'api',
      MILLSEAL_COMPANY_QUEUE_MINUTES: '1',
      MILLSEAL_QUEUE_MINUTES: '3',
    },
  })
  database = new Client({ connectionString: server.config.databaseUrl })
  await database.connect()
})
after(async () => {
  await database.end()
  await server[Symbol.asyncDispose]()
  await data[Symbol.asyncDispose]()
})

const openMill = async (complete: TestServer, username: string) => {
  const { admin, company } = await newOwner(complete, username)
  const identity = await newIdentity(complete.client(admin.accessToken), company.id)
  let { accessToken } = admin
  return {
    company,
    async signInAgain() {
      const credentials = { username: admin.username, password }
      accessToken = (await server.client().login({ body: credentials })).accessToken
    },
    submit: () =>
      server.client(accessToken).notarizeCertificate({
        company: company.id,
        query: { mode: 'test', identity: identity.id },
        document: new Blob([JSON.stringify(sampleCertificate())], { type: 'application/json' }),
      }),
  }
}

const mill = (name: (typeof names)[number]): Mill => mills.get(name) ?? assert.fail(name)

type Mill = Awaited<ReturnType<typeof openMill>>

/** Certificates that are due since so many seconds. */
const plant = async (
  { company }: Mill,
  count: number,
  secondsAgo: number,
  mode: Mode = 'test',
): Promise<void> => {
  await database.query(
    `insert into certificates (id, company_id, identity_id, mode, state, ref_schema_url, family, hash, summary,
       body, retained_until, next_attempt_at, accepted_by, created_at, updated_at)
     select gen_random_uuid(), $1, gen_random_uuid(), $4, 'accepted', '', 'en10168',
       encode(sha256((random()::text || n)::bytea), 'hex'), '{}', '\\x7b7d', $2::timestamptz + interval '30 days',
       $2, 'user:test', $2, $2
     from generate_series(1, $3::int) as n`,
    [company.id, new Date(server.clock.now() - secondsAgo * 1_000), count, mode],
  )
}

const workOff = async ({ company }: Pick<Mill, 'company'>): Promise<void> => {
  await database.query('delete from certificates where company_id = $1', [company.id])
}

const isRefused = ({ submit }: Mill): Promise<boolean> =>
  submit().then(
    () => false,
    () => true,
  )

describe('a certificate', () => {
  test('is refused with 429 while more than the limit of its company waits, and accepted after that', async () => {
    const [flooding, other] = [mill('flooding'), mill('other')]
    await plant(flooding, 600, 0)
    await flooding.submit()
    await eventually(() => isRefused(flooding), { everyMs: 100 })
    const { status, retryAfterSeconds } = await refusal(flooding.submit())
    assert.deepEqual([status, retryAfterSeconds], [429, 60])
    await assertRefused(flooding.submit(), 'queue_full')
    await other.submit()
    await workOff(flooding)
    await eventually(async () => !(await isRefused(flooding)), { everyMs: 100 })
  })

  test('in live mode does not wait for those in test mode, and is refused while too many in live mode wait', async () => {
    const both = mill('both')
    await using process = await openCertificateProcess(server)
    const deps = { ...process.deps, queueMinutes: { company: 1, service: Infinity } }
    const assertRoom = (mode: Mode) => createAdmission(deps).assertRoom(both.company.id, mode)
    await plant(both, 601, 61)
    await assert.rejects(assertRoom('test'), { code: 'queue_full' })
    await assertRoom('live')
    await plant(both, 601, 0, 'live')
    await assert.rejects(assertRoom('live'), { code: 'queue_full' })
    await workOff(both)
  })

  test('is refused with 429 if the long queue of its company has waited too long', async () => {
    const slow = mill('slow')
    await plant(slow, 599, 0)
    await plant(slow, 2, 61)
    await eventually(() => isRefused(slow), { everyMs: 100 })
    await assertRefused(slow.submit(), 'queue_full')
    await workOff(slow)
  })

  test('is refused with 503 if the few of its company have waited too long: nobody works', async () => {
    const waiting = mill('waiting')
    await plant(waiting, 2, 20)
    await waiting.submit()
    server.clock.advance({ seconds: 45 })
    await eventually(() => isRefused(waiting), { everyMs: 100 })
    const { status, retryAfterSeconds } = await refusal(waiting.submit())
    assert.deepEqual([status, retryAfterSeconds], [503, 60])
    await assertRefused(waiting.submit(), 'service_queue_full')
    await workOff(waiting)
  })

  test('is refused with 503 while too many of all companies wait', async () => {
    const [one, two] = [mill('first-of-many'), mill('second-of-many')]
    for (let part = 0; part < 4; part += 1) await plant(one, 500, 0)
    await eventually(() => isRefused(two), { everyMs: 100 })
    await assertRefused(two.submit(), 'service_queue_full')
    await workOff(one)
    await eventually(async () => !(await isRefused(two)), { everyMs: 100 })
  })

  test('is refused with 503 once certificates have waited too long for a ledger that records nothing', async () => {
    const late = mill('late')
    const waitsForRetry = async (): Promise<void> => {
      await plant(late, 1, 200)
      await database.query(
        `update certificates set next_attempt_at = next_attempt_at + interval '6 hours'
          where company_id = $1 and state = 'accepted'`,
        [late.company.id],
      )
    }
    await waitsForRetry()
    await late.submit()
    server.clock.jump({ days: -3 })
    await waitsForRetry()
    await late.signInAgain()
    await eventually(() => isRefused(late), { everyMs: 100 })
    const { status, answer } = await refusal(late.submit())
    assert.deepEqual(
      [status, answer?.details],
      [
        503,
        [
          'The ledger of test mode records nothing, and certificates wait for it for more than 3 minutes: submit it again in 60 s',
        ],
      ],
    )
    await workOff(late)
    await eventually(async () => !(await isRefused(late)), { everyMs: 100 })
  })
})
