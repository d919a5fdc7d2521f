import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Secret as Key } from 'otpauth'
import { sql } from 'kysely'
import type { Database } from '../../../ports/database/database.ts'
import { assertNowhere } from '../../../../test/canaries.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { dumpOf } from '../../../../test/dump.ts'
import { addressOf, startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { codeAt, password, signUp } from '../../../../test/people.ts'
import { refusal } from '../../../../test/refusal.ts'

let database: Database
let server: TestServer
before(async () => {
  database = await openTestDatabase()
  server = await startOwnServer({ databaseUrl: addressOf(database) })
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

test('the database, logs, mails and errors contain no secret of an authenticator and no recovery code', async () => {
  const person = await signUp(server, 'canary-with-mfa')
  const client = server.client(person.accessToken)
  const idempotencyKey = () => randomUUID()
  const { id, secret, otpauthUri, qrSvg } = await client.createTotp({
    body: { name: 'Phone' },
    idempotencyKey: idempotencyKey(),
  })
  const code = codeAt(secret, server.clock.now())
  const { recoveryCodes: [recoveryCode = ''] = [] } = await client.confirmTotp({
    params: { id },
    body: { code },
    idempotencyKey: idempotencyKey(),
  })
  const {
    recoveryCodes: [second = ''],
  } = await client.regenerateRecoveryCodes({ idempotencyKey: idempotencyKey() })
  const signIn = (withCode: string) =>
    server.client().login({ body: { username: person.username, password, code: withCode } })
  const refused = [await refusal(signIn(recoveryCode)), await refusal(signIn(code))]
  await signIn(second)
  const mails = await server.mailsTo(person.email, 4)

  const bytes = Buffer.from(Key.fromBase32(secret).bytes)
  const secrets = {
    secret,
    'otpauth URI': otpauthUri,
    'QR code': qrSvg,
    'secret in hex': bytes.toString('hex'),
    'secret in base64': bytes.toString('base64'),
    'recovery code': recoveryCode,
    'recovery code, ungrouped': recoveryCode.replaceAll('-', ''),
    'second recovery code': second,
    'second recovery code, ungrouped': second.replaceAll('-', ''),
  }
  const dump = await dumpOf(server)
  const everything = {
    database: [...dump.values()].join('\n'),
    log: server.log.join('\n'),
    mails: mails.join('\n'),
    errors: JSON.stringify(refused.map(({ answer }) => answer)),
  }
  assert.ok(everything.database.includes('mfa.regenerate_recovery_codes'), 'the audit log was read')
  assert.ok(everything.log.includes('mfa.create_totp'), 'the log was read')
  assertNowhere(Object.entries(secrets), Object.entries(everything))
})

test('repeating a call with its Idempotency-Key changes nothing and does not show the secret again', async () => {
  const person = await signUp(server, 'says-it-twice')
  const client = server.client(person.accessToken)
  const create = { body: { name: 'Phone' }, idempotencyKey: randomUUID() }
  const { id, secret } = await client.createTotp(create)
  assert.deepEqual(await client.createTotp(create), { id })
  const confirm = {
    params: { id },
    body: { code: codeAt(secret, server.clock.now()) },
    idempotencyKey: randomUUID(),
  }
  const { recoveryCodes } = await client.confirmTotp(confirm)
  assert.equal(recoveryCodes?.length, 10)
  assert.deepEqual(await client.confirmTotp(confirm), { id })
  assert.equal((await client.readMfa()).authenticators.length, 1)
})

test('an encrypted secret copied to the authenticator of another user does not sign in', async () => {
  const victim = await signUp(server, 'row-owner')
  const thief = await signUp(server, 'row-swapper')
  const enrol = async (accessToken: string) => {
    const client = server.client(accessToken)
    const { id, secret } = await client.createTotp({ body: { name: 'Phone' } })
    await client.confirmTotp({ params: { id }, body: { code: codeAt(secret, server.clock.now()) } })
    return { id, secret }
  }
  const theirs = await enrol(victim.accessToken)
  const own = await enrol(thief.accessToken)
  await sql`
    update mfa_factors set encrypted_secret = (select encrypted_secret from mfa_factors where id = ${own.id})
    where id = ${theirs.id}
  `.execute(database.query)
  const code = codeAt(own.secret, server.clock.now() + 30_000)
  const { status } = await refusal(
    server.client().login({ body: { username: victim.username, password, code } }),
  )
  assert.equal(status, 503)
  assert.ok(
    server.log.some((line) => line.includes('The encrypted value was changed or belongs to another row')),
  )
})
