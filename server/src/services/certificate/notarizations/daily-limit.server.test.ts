import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Notarization } from '@millseal/contract'
import { sql } from 'kysely'
import { type CertificateProcess, openCertificateProcess } from '../../../../test/certificate-service.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { eventually } from '../../../../test/eventually.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { password, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { outcomesOf, refusal } from '../../../../test/refusal.ts'
import { endedNotarization, newIdentity } from '../../../../test/signers.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { Problem } from '../../../lib/problem.ts'
import { utcDay } from '../../../lib/utc-day.ts'
import { assertDailyLimit } from './assert-daily-limit.ts'

const dayMs = 86_400_000

let server: TestServer
before(async () => {
  server = await startOwnServer({
    environment: {
      MILLSEAL_CERTIFICATES_PER_DAY: '4',
      MILLSEAL_UNVERIFIED_CERTIFICATES_PER_DAY: '2',
    },
  })
})
after(() => server[Symbol.asyncDispose]())

type Mill = Pick<Owner, 'company'> & {
  submit(certificate?: object): Promise<Notarization>
  /** The session of yesterday has expired. */
  signInAgain(): Promise<void>
}

/** What was submitted: after a day, certificates that still wait are too old for more to be accepted. */
const waiting: (() => Promise<unknown>)[] = []

const openMill = async (username: string): Promise<Mill> => {
  const owner = await newOwner(server, username)
  let client = server.client(owner.admin.accessToken)
  const identity = await newIdentity(client, owner.company.id)
  return {
    company: owner.company,
    async submit(certificate = sampleCertificate()) {
      const company = owner.company.id
      const submitted = await client.notarizeCertificate({
        company,
        query: { mode: 'test', identity: identity.id },
        document: new Blob([JSON.stringify(certificate)], { type: 'application/json' }),
      })
      const { jobId } = submitted
      const asked = client
      if (jobId !== undefined) waiting.push(() => endedNotarization(asked, { company, jobId }))
      return submitted
    },
    async signInAgain() {
      const { accessToken } = await server
        .client()
        .login({ body: { username: owner.admin.username, password } })
      client = server.client(accessToken)
    },
  }
}

/** A company and its limit today. */
type Day = { readonly companyId: string; readonly now: Date; readonly most: number }

const openDay = async (username: string, most: number): Promise<Day> => {
  const { company } = await newOwner(server, username)
  return { companyId: company.id, now: new Date(server.clock.now()), most }
}

/** What a call does with the limit in this process. The transaction ends after `ended`, which may fail. */
const submitIn = (process: CertificateProcess, day: Day, ended: () => Promise<void>): Promise<void> =>
  process.deps.database.transaction(async (tx) => {
    const certificatesPerDay = { verified: day.most, unverified: day.most }
    await assertDailyLimit({ ...process.deps, certificatesPerDay }, tx, { ...day, count: 1 })
    await ended()
  })

const addAccepted = async ({ deps }: CertificateProcess, day: Day, accepted: number): Promise<void> => {
  const { companyId, now } = day
  const row = { companyId, day: utcDay(now), counted: 'certificates', slot: 64, used: accepted } as const
  await deps.database.query.insertInto('dailyQuotas').values(row).execute()
}

const sumOf = async ({ deps }: CertificateProcess, { companyId }: Day): Promise<number> => {
  const rows = await deps.database.query
    .selectFrom('dailyQuotas')
    .select('used')
    .where('companyId', '=', companyId)
    .where('counted', '=', 'certificates')
    .execute()
  return rows.reduce((sum, { used }) => sum + used, 0)
}

const outcomeOf = (submission: Promise<void>): Promise<string> =>
  submission.then(
    () => 'accepted',
    (error: unknown) => (error instanceof Problem ? error.code : (error as Error).message),
  )

const startDay = async (): Promise<void> => {
  for (const ended of waiting.splice(0)) await ended()
  server.clock.advance({ seconds: (dayMs - (server.clock.now() % dayMs)) / 1_000 })
}

describe('the certificates of a company and day', () => {
  test('are limited; the answer names the limit and its end, and the next day starts at zero', async () => {
    await startDay()
    const mill = await openMill('limited-mill')
    const first = sampleCertificate()
    const accepted = await mill.submit(first)
    await mill.submit()
    const refused = await refusal(mill.submit())
    const tomorrow = new Date(Math.ceil(server.clock.now() / dayMs) * dayMs).toISOString()
    assert.deepEqual([refused.status, refused.code], [403, 'certificate_limit_reached'])
    assert.deepEqual(refused.answer?.details, [
      `A company that is not verified can submit 2 certificates a day (UTC): submit it again from ${tomorrow} on`,
    ])
    // It is accepted already, and perhaps recorded by now.
    assert.equal((await mill.submit(first)).hash.value, accepted.hash.value)
    await (await openMill('other-mill')).submit()
    await startDay()
    await mill.signInAgain()
    await mill.submit()
    await mill.submit(first)
    await mill.submit()
    assert.equal((await refusal(mill.submit())).code, 'certificate_limit_reached')
  })

  test('are more for a verified company, and not exceeded by concurrent calls', async () => {
    await startDay()
    const mill = await openMill('verified-mill')
    await verifyCompany(server, await signUpOperator(server), mill.company.id)
    const outcomes = await outcomesOf(Array.from({ length: 9 }, () => mill.submit()))
    assert.deepEqual(outcomes, { ok: 4, certificate_limit_reached: 5 })
  })

  test('are exact in two processes, however many are submitted at once, and failed ones take no place', async () => {
    await using one = await openCertificateProcess(server)
    await using other = await openCertificateProcess(server)
    const mill = await openDay('counted-mill', 520)
    await addAccepted(one, mill, 500)
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, at) => {
        const fails = at % 3 === 0
        const ended = fails ? () => Promise.reject(new Error('too late')) : () => Promise.resolve()
        return outcomeOf(submitIn(at % 2 === 0 ? one : other, mill, ended))
      }),
    )
    const count = (outcome: string) => outcomes.filter((each) => each === outcome).length
    assert.equal(count('accepted'), 20)
    assert.ok(count('certificate_limit_reached') >= 20, outcomes.join())
    assert.equal(count('accepted') + count('certificate_limit_reached') + count('too late'), 60)
    assert.equal(await sumOf(one, mill), 520)
  })

  test('are exact, also if one was counted long before and is not accepted yet', async () => {
    await using process = await openCertificateProcess(server)
    const { query } = process.deps.database
    const mill = await openDay('slow-mill', 501)
    const [isCounted, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = submitIn(process, mill, async () => {
      isCounted.resolve()
      await go.promise
    })
    await isCounted.promise
    await addAccepted(process, mill, 500)
    let isDone = false
    const last = outcomeOf(submitIn(process, mill, () => Promise.resolve())).finally(() => (isDone = true))
    const waits = async (): Promise<boolean> => {
      const { rows } = await sql`select 1 from pg_locks where locktype = 'advisory' and not granted`.execute(
        query,
      )
      return isDone || rows.length > 0
    }
    await eventually(waits, { what: 'the last one to wait for the slow one, or to end' })
    go.resolve()
    await slow
    assert.equal(await last, 'certificate_limit_reached')
    assert.equal(await sumOf(process, mill), 501)
  })
})
