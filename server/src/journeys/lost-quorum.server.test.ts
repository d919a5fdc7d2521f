import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openCertificateProcess } from '../../test/certificate-service.ts'
import { startCosignedServer } from '../../test/cosigner.ts'
import { eventually } from '../../test/eventually.ts'
import { certificateAsset, makeLedgerSigner } from '../../test/ledger-signer.ts'
import { kindOf } from '../../test/mailing-people.ts'
import { signUp, signUpOperator } from '../../test/people.ts'

const lost = /^Subject: No quorum confirms the test log any more/m
const back = /^Subject: A quorum confirms the test log again/m

test('operators get one mail when a quorum is missing for five minutes, and one when it is back', async () => {
  await using opened = await startCosignedServer()
  const { server, cosigners } = opened
  await using process = await openCertificateProcess(server)
  const { database, jobs } = process.deps
  const operator = await signUpOperator(server)
  const person = await signUp(server, 'no-operator')
  const signer = makeLedgerSigner()
  const record = async (): Promise<void> => {
    const response = await fetch(`${server.url}/ledger/test/api/v1/transactions?mode=commit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(signer.create(certificateAsset())),
    })
    assert.equal(response.status, 202)
  }
  /** As the clock does every minute. */
  const look = async (): Promise<void> => {
    await database.transaction((tx) => jobs.enqueue(tx, kindOf('km-quorum-watch'), {}))
    await eventually(async () => {
      const { rows } = await sql`
        select 1 from pgboss.job where name = 'km-quorum-watch' and state in ('created', 'retry', 'active')`.execute(
        database.query,
      )
      return rows.length === 0
    })
  }
  const holds = async (): Promise<boolean> => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    return metrics.includes('millseal_quorum{mode="test"} 1\n')
  }
  await record()
  await eventually(holds, { what: 'a quorum has signed' })
  const lose = async (): Promise<void> => {
    for (const cosigner of cosigners) cosigner.stop()
    await record()
    server.clock.advance({ minutes: 1 })
    await eventually(async () => !(await holds()), { what: 'the missing quorum is noticed' })
    await look()
  }
  const recover = async (): Promise<void> => {
    for (const cosigner of cosigners) cosigner.start()
    await record()
    await eventually(holds, { what: 'a quorum has signed again' })
    await look()
  }
  // Too short to be news.
  await lose()
  await recover()
  for (const mails of [1, 2]) {
    await lose()
    server.clock.advance({ minutes: 5 })
    await look()
    await server.mailsTo(operator.email, mails, lost)
    server.clock.advance({ minutes: 60 })
    await look()
    await recover()
    await server.mailsTo(operator.email, mails, back)
  }
  const mails = await server.mailsTo(operator.email, 4, /quorum/)
  assert.deepEqual(
    [lost, back].map((about) => mails.filter((mail) => about.test(mail)).length),
    [2, 2],
  )
  assert.match(mails[0] ?? '', /No quorum since/)
  assert.deepEqual(await server.mailsTo(person.email, 0, /quorum/), [])
})
