import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Notarization } from '@millseal/contract'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { password, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { outcomesOf, refusal } from '../../../../test/refusal.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { countAccepted, eraseQuotas, sumAccepted } from './quotas.store.ts'
import { openCertificateProcess } from '../../../../test/certificate-service.ts'

const dayMs = 86_400_000

let server: TestServer
before(async () => {
  server = await startTestServer({
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

const openMill = async (username: string): Promise<Mill> => {
  const owner = await newOwner(server, username)
  let client = server.client(owner.admin.accessToken)
  const identity = await newIdentity(client, owner.company.id)
  return {
    company: owner.company,
    submit: (certificate = sampleCertificate()) =>
      client.notarizeCertificate({
        company: owner.company.id,
        query: { mode: 'test', identity: identity.id },
        document: new Blob([JSON.stringify(certificate)], { type: 'application/json' }),
      }),
    async signInAgain() {
      const { accessToken } = await server
        .client()
        .login({ body: { username: owner.admin.username, password } })
      client = server.client(accessToken)
    },
  }
}

const startDay = (): void => server.clock.advance({ seconds: (dayMs - (server.clock.now() % dayMs)) / 1_000 })

describe('the certificates of a company and day', () => {
  test('are limited; the answer names the limit and its end, and the next day starts at zero', async () => {
    startDay()
    const mill = await openMill('limited-mill')
    const first = sampleCertificate()
    await mill.submit(first)
    await mill.submit()
    const refused = await refusal(mill.submit())
    const tomorrow = new Date(Math.ceil(server.clock.now() / dayMs) * dayMs).toISOString()
    assert.deepEqual([refused.status, refused.code], [403, 'certificate_limit_reached'])
    assert.deepEqual(refused.answer?.details, [
      `A company that is not verified can submit 2 certificates a day (UTC): submit it again from ${tomorrow} on`,
    ])
    assert.equal((await mill.submit(first)).isNewInstance, true, 'it is accepted already')
    await (await openMill('other-mill')).submit()
    startDay()
    await mill.signInAgain()
    await mill.submit()
    await mill.submit(first)
    await mill.submit()
    assert.equal((await refusal(mill.submit())).code, 'certificate_limit_reached')
  })

  test('are more for a verified company, and not exceeded by concurrent calls', async () => {
    startDay()
    const mill = await openMill('verified-mill')
    await verifyCompany(server, await signUpOperator(server), mill.company.id)
    const outcomes = await outcomesOf(Array.from({ length: 9 }, () => mill.submit()))
    assert.deepEqual(outcomes, { ok: 4, certificate_limit_reached: 5 })
  })

  test('add up, however many are accepted at once', async () => {
    await using process = await openCertificateProcess(server)
    const { database } = process.deps
    const { company } = await newOwner(server, 'counted-mill')
    const day = { companyId: company.id, now: new Date(server.clock.now()) }
    const numbers = await Promise.all(
      Array.from({ length: 40 }, () => database.transaction((tx) => countAccepted(tx, day))),
    )
    assert.ok(Math.max(...numbers) <= 40)
    assert.equal(await database.transaction((tx) => sumAccepted(tx, day)), 40)
    assert.equal(await database.transaction((tx) => countAccepted(tx, day)), 41)
  })

  test('are counted until yesterday', async () => {
    await using process = await openCertificateProcess(server)
    const { query } = process.deps.database
    const days = () => query.selectFrom('certificateQuotas').select('day').execute()
    startDay()
    await (await openMill('last-mill')).submit()
    await eraseQuotas(query, new Date(server.clock.now()))
    const kept = (await days()).length
    assert.ok(kept > 0)
    await eraseQuotas(query, new Date(server.clock.now() + dayMs))
    assert.ok((await days()).length > 0)
    await eraseQuotas(query, new Date(server.clock.now() + 2 * dayMs))
    assert.deepEqual(await days(), [])
  })
})
