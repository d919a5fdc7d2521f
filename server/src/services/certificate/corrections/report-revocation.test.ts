import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Certificate, Identity, RevokedCertificates } from '@millseal/contract'
import { sampleCertificate } from '../../../../test/certificates.ts'
import {
  type CertificateProcess,
  jobOf,
  openCertificateProcess,
  rejectInserts,
  sha256,
} from '../../../../test/certificate-service.ts'
import { eventually } from '../../../../test/eventually.ts'
import { newLiveOwner, newOwner, type Owner } from '../../../../test/machines.ts'
import { notarizeSample, publishIdentity } from '../../../../test/offline.ts'
import { enableMfa, type Person, verifyCompany } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { eventsOf } from '../../../../test/traces.ts'
import { makeOperatorIn } from '../../../compose/commands.ts'
import { revocationMail } from '../mails/revocation-mail.ts'
import { reportRevocation } from './report-revocation.ts'

let server: TestServer
let process: CertificateProcess
let operator: Person
let mill: Owner
let receiver: Owner
before(async () => {
  server = await startTestServer()
  process = await openCertificateProcess(server)
  operator = await operatorWithMfa()
  mill = await newLiveOwner(server, 'revoking-mill')
  receiver = await newOwner(server, 'informed-works')
  await verifyCompany(server, operator, receiver.company.id)
  walletId = (await client().createWallet({ company: company(), query, body: {} })).id
})
after(async () => {
  await process[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** As live mode demands. */
const operatorWithMfa = async (): Promise<Person> => {
  const email = 'reviewer@service.example'
  const { id, username, password: made } = await makeOperatorIn(server.config, { email })
  const password = made?.reveal() ?? ''
  const first = await server.client().login({ body: { username, password } })
  const nextCode = await enableMfa(server, first)
  const { accessToken, refreshToken } = await server
    .client()
    .login({ body: { username, password, code: nextCode() } })
  return { id, username, email, accessToken, refreshToken }
}

const client = () => server.client(mill.admin.accessToken)
const company = () => mill.company.id
const mode = 'live'
const query = { mode } as const

let walletId = ''
const newKey = (): Promise<Identity> =>
  client().createIdentity({
    company: company(),
    query,
    body: { coinType: 822, account: 0, wallet: walletId },
  })

const newSigner = async (): Promise<Identity> => {
  const identity = await newKey()
  await publishIdentity(client(), { company: company(), identity, mode })
  return identity
}

const notarize = (identity: Identity, email: string): Promise<Certificate> =>
  notarizeSample(client(), {
    company: company(),
    identity,
    mode,
    certificate: sampleCertificate({ receiver: { vatId: receiver.company.vatId, email } }),
  })

const revoke = (identity: Identity, body: { since?: string; reason: string }) =>
  client().revokeIdentity({ company: company(), query, params: { id: identity.id }, body })

const eventsAbout = async (companyId: string, { did }: Identity): Promise<RevokedCertificates[]> =>
  (await eventsOf(server, companyId))
    .filter(({ topic }) => topic.endsWith('/live/certificates/revoke_many'))
    .map(({ payload }) => payload as RevokedCertificates)
    .filter((payload) => payload.did === did)

const finished = async (identity: Identity, count = 1): Promise<string> =>
  eventually(
    async () => {
      const rows = await process.deps.database.query
        .selectFrom('keyRevocations')
        .innerJoin('revocationReports', 'revocationReports.transactionId', 'keyRevocations.transactionId')
        .select('keyRevocations.transactionId')
        .where('identityId', '=', identity.id)
        .where('finishedAt', 'is not', null)
        .orderBy('createdAt', 'desc')
        .execute()
      return rows.length === count && rows[0]?.transactionId
    },
    { what: 'the report of the revocation' },
  )

const plain = (mail: string): string => mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')

describe('everybody who received certificates of a key that is revoked', () => {
  test('gets one mail that lists those recorded since then, and their companies an event', async () => {
    const identity = await newSigner()
    const earlier = await notarize(identity, 'before@informed-works.example')
    server.clock.advance({ seconds: 5 })
    const since = new Date(server.clock.now()).toISOString()
    const later = [
      await notarize(identity, 'since@informed-works.example'),
      await notarize(identity, 'since@informed-works.example'),
    ]
    await revoke(identity, { since, reason: 'The backup was stolen' })
    const hashes = later.map(({ hash }) => hash.value)
    for (const id of [company(), receiver.company.id]) {
      const [event, ...more] = await eventually(async () => {
        const found = await eventsAbout(id, identity)
        return found.length > 0 && found
      })
      assert.deepEqual(more, [])
      assert.deepEqual(event?.certificates.map(({ hash }) => hash).toSorted(), hashes.toSorted())
      const { kind, by, reason } = event.correction
      assert.deepEqual(
        [kind, by, reason, event.correction.since],
        ['revoked', 'issuer', 'The backup was stolen', since],
      )
    }
    for (const address of ['since@informed-works.example', receiver.admin.email]) {
      const [mail = '', ...more] = (await server.mailsTo(address, 1, /widerrufen/)).map(plain)
      assert.deepEqual(more, [], address)
      assert.match(mail, /^Subject: .*2[ _]Zeugnisse/m)
      assert.match(mail, /The backup was stolen/)
      for (const hash of hashes) assert.ok(mail.includes(hash))
      assert.ok(!mail.includes(earlier.hash.value))
    }
    await finished(identity)
    assert.deepEqual(await server.mailsTo('before@informed-works.example', 0, /widerrufen/), [])
  })

  test('hears again only of what is new, if the operator names an earlier time', async () => {
    const identity = await newSigner()
    const [first, second] = [
      await notarize(identity, 'one@works.example'),
      await notarize(identity, 'two@works.example'),
    ]
    server.clock.advance({ seconds: 5 })
    const { revokedSince } = await revoke(identity, { reason: 'Lost' })
    const since = first.timestamp ?? ''
    const asOperator = (at: string) =>
      server.client(operator.accessToken).revokeIdentity({
        query,
        params: { id: identity.id },
        body: { since: at, reason: 'It was stolen before' },
      })
    assert.equal((await asOperator(since)).revokedSince, since)
    assert.equal((await asOperator(revokedSince ?? '')).revokedSince, since, 'a later time changes nothing')
    await finished(identity, 2)
    const [mail = ''] = (await server.mailsTo('two@works.example', 1, /widerrufen/)).map(plain)
    assert.match(mail, /Betreiber dieses Dienstes/)
    const told = (await eventsAbout(receiver.company.id, identity)).flatMap(
      ({ certificates }) => certificates,
    )
    assert.deepEqual(
      told.map(({ hash }) => hash).toSorted(),
      [first, second].map(({ hash }) => hash.value).toSorted(),
    )
  })

  test('hears of many certificates by a bounded mail and events of at most 100', async () => {
    const identity = await newSigner()
    const count = 230
    const recordedAt = new Date(server.clock.now())
    const times = { recordedAt, retainedUntil: recordedAt, createdAt: recordedAt, updatedAt: recordedAt }
    await process.deps.database.query
      .insertInto('certificates')
      .values(
        Array.from({ length: count }, (_, at) => ({
          id: randomUUID(),
          companyId: company(),
          identityId: identity.id,
          mode,
          state: 'notarized' as const,
          refSchemaUrl: 'https://example.org/schema.json',
          family: 'generic',
          hash: sha256(`${identity.id} ${at}`),
          pdfHash: sha256(`pdf ${identity.id} ${at}`),
          transactionId: sha256(`transaction ${identity.id} ${at}`),
          summary: '{}',
          ...times,
        })),
      )
      .execute()
    await process.deps.database.query
      .insertInto('certificateReceivers')
      .columns(['certificateId', 'companyId', 'mode', 'identityId', 'family', 'recordedAt'])
      .expression((from) =>
        from
          .selectFrom('certificates as c')
          .select(['c.id', sql<string>`${receiver.company.id}::uuid`.as('companyId')])
          .select(['c.mode', 'c.identityId', 'c.family', 'c.recordedAt'])
          .where('c.identityId', '=', identity.id)
          .$narrowType<{ recordedAt: Date }>(),
      )
      .execute()
    await revoke(identity, { since: recordedAt.toISOString(), reason: 'Lost with many certificates' })
    await finished(identity)
    const told = await eventsAbout(receiver.company.id, identity)
    assert.deepEqual(
      told.map(({ certificates }) => certificates.length),
      [100, 100, 30],
    )
    assert.equal(
      new Set(told.flatMap(({ certificates }) => certificates.map(({ hash }) => hash))).size,
      count,
    )
    const [mail = '', ...more] = await server.mailsTo(receiver.admin.email, 1, /with many certificates/)
    assert.deepEqual(more, [])
    assert.match(mail, /und 180 weitere/)
    assert.equal(plain(mail).match(/SHA-256 /g)?.length, 2 * 50, 'in text and in HTML')
  })

  test('hears once, if a run is interrupted anywhere and repeated', async () => {
    const identity = await newSigner()
    await notarize(identity, 'crash@informed-works.example')
    await revoke(identity, { since: '2026-01-01T00:00:00.000Z', reason: 'Lost' })
    const transactionId = await finished(identity)
    const { database } = process.deps
    const mails = async (): Promise<number> => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pgboss.job
        where name = ${revocationMail.name} and data->>'transactionId' = ${transactionId}`.execute(
        database.query,
      )
      return rows[0]?.count ?? 0
    }
    const events = async () => (await eventsAbout(receiver.company.id, identity)).length
    const [mailsOnce, eventsOnce] = [await mails(), await events()]
    assert.equal(eventsOnce, 1)
    assert.ok(mailsOnce > 0)
    // As if nothing had been reported.
    await database.query.deleteFrom('revocationReports').where('transactionId', '=', transactionId).execute()
    const run = () => reportRevocation(process.deps, jobOf({ transactionId }))
    for (const table of ['outbox', 'pgboss.job'] as const) {
      await using _rejected = await rejectInserts(process.deps, table)
      await assert.rejects(run(), /interrupted/)
    }
    await run()
    await run()
    assert.deepEqual([await mails(), await events()], [2 * mailsOnce, 2 * eventsOnce])
  })
})
