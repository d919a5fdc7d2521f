import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Database } from '../../../ports/database/database.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { addressOf, startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { codeAt, enableMfa, type Person, password, signUp } from '../../../../test/people.ts'
import { assertRefused, outcomesOf } from '../../../../test/refusal.ts'
import { lockCredentials } from '../users/users.store.ts'
import { unconfirmedAfter } from './authenticators.ts'
import { deleteUnconfirmedFactors, findFactors } from './factors.store.ts'

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

const as = (person: Pick<Person, 'accessToken'>) => server.client(person.accessToken)
const enrol = (person: Person, name = 'Phone') => as(person).createTotp({ body: { name } })
const code = (secret: string): string => codeAt(secret, server.clock.now())
const confirm = (person: Person, { id, secret }: { id: string; secret: string }, name?: string) =>
  as(person).confirmTotp({
    params: { id },
    body: { code: code(secret), name },
  })
const signInAgain = async (person: Person, withCode?: string): Promise<Person> => ({
  ...person,
  ...(await server.client().login({
    body: { username: person.username, password, code: withCode },
  })),
})
/** The code of the next time step: the present one may have been used. */
const remove = (person: Pick<Person, 'accessToken'>, { id, secret }: { id: string; secret: string }) =>
  as(person).deleteTotp({
    params: { id },
    body: { code: codeAt(secret, server.clock.now() + 30_000) },
  })
const withoutMfa = { enabled: false, acr: '1fa', recoveryCodes: 0, authenticators: [], passkeys: [] }
const mailsOf = async (person: Person, atLeast: number): Promise<string> =>
  (await server.mailsTo(person.email, atLeast)).join('\n')

describe('authenticators', () => {
  test('confirming the first authenticator enables MFA and creates ten recovery codes', async () => {
    const person = await signUp(server, 'first-timer')
    assert.deepEqual(await as(person).readMfa(), withoutMfa)
    const totp = await enrol(person, 'Old phone')
    assert.match(totp.secret, /^[A-Z2-7]{32}$/)
    assert.ok(totp.otpauthUri.includes(`:${encodeURIComponent(person.email)}?`))
    assert.match(totp.qrSvg, /^<svg .*<\/svg>$/)
    const unconfirmed = await as(person).readMfa()
    assert.equal(unconfirmed.enabled, false)
    assert.equal(unconfirmed.authenticators[0]?.confirmed, false)

    const confirmed = await confirm(person, totp, 'New phone')
    assert.equal(new Set(confirmed.recoveryCodes).size, 10)
    for (const each of confirmed.recoveryCodes ?? []) assert.match(each, /^(\w{4}-){3}\w{4}$/)
    const mfa = await as(person).readMfa()
    assert.equal(mfa.enabled, true)
    assert.equal(mfa.recoveryCodes, 10)
    assert.deepEqual(
      mfa.authenticators.map(({ id, name, confirmed: isConfirmed }) => ({ id, name, isConfirmed })),
      [{ id: totp.id, name: 'New phone', isConfirmed: true }],
    )
    assert.ok(!JSON.stringify(mfa).includes(totp.secret))
    await assertRefused(confirm(person, totp), 'authenticator_confirmed')
    assert.match(await mailsOf(person, 2), /An authenticator was added/)
  })

  test('a user can have several; only the first creates recovery codes', async () => {
    const person = await signUp(server, 'two-phones')
    await enableMfa(server, person)
    const second = await enrol(person, 'Key ring')
    assert.deepEqual(await confirm(person, second), { id: second.id })
    const { authenticators } = await as(person).readMfa()
    assert.deepEqual(
      authenticators.map(({ name }) => name),
      ['Key ring', 'Phone'],
    )
  })

  test('confirming two at once creates one set of recovery codes', async () => {
    const person = await signUp(server, 'both-hands')
    const both = [await enrol(person, 'Left'), await enrol(person, 'Right')]
    const confirmed = await Promise.all(both.map((totp) => confirm(person, totp)))
    assert.equal(confirmed.filter(({ recoveryCodes }) => recoveryCodes !== undefined).length, 1)
  })

  test('a code confirms once, also with concurrent calls', async () => {
    const person = await signUp(server, 'double-click')
    const totp = await enrol(person)
    const { ok, ...refused } = await outcomesOf(Array.from({ length: 20 }, () => confirm(person, totp)))
    assert.equal(ok, 1)
    assert.deepEqual(
      Object.keys(refused).filter((name) => !['mfa_code_wrong', 'authenticator_confirmed'].includes(name)),
      [],
    )
  })

  test('an unconfirmed authenticator expires after an hour and is deleted', async () => {
    const person = await signUp(server, 'slow-hand')
    const totp = await enrol(person)
    server.clock.advance({ minutes: 61 })
    const later = await signInAgain(person)
    assert.deepEqual((await as(later).readMfa()).authenticators, [])
    await assertRefused(confirm(later, totp), 'not_found')
    await assertRefused(as(later).deleteTotp({ params: { id: totp.id } }), 'not_found')
    await deleteUnconfirmedFactors(database.query, unconfirmedAfter(server.clock.now()))
    assert.deepEqual(await findFactors(database.query, person.id, new Date(0)), [])
  })

  test('five wrong codes lock an unconfirmed authenticator', async () => {
    const person = await signUp(server, 'thick-fingers')
    const totp = await enrol(person)
    const wrong = code(totp.secret) === '000000' ? '111111' : '000000'
    const guess = () => as(person).confirmTotp({ params: { id: totp.id }, body: { code: wrong } })
    assert.deepEqual(await outcomesOf(Array.from({ length: 20 }, guess)), {
      mfa_code_wrong: 5,
      mfa_locked: 15,
    })
    await assertRefused(confirm(person, totp), 'mfa_locked')
  })

  test('other users cannot see, confirm or delete them', async () => {
    const person = await signUp(server, 'owner-of-one')
    const stranger = await signUp(server, 'stranger-here')
    const totp = await enrol(person)
    await assertRefused(confirm(stranger, totp), 'not_found')
    await assertRefused(as(stranger).deleteTotp({ params: { id: totp.id } }), 'not_found')
    await assertRefused(as(stranger).deleteTotp({ params: { id: randomUUID() } }), 'not_found')
    assert.deepEqual((await as(stranger).readMfa()).authenticators, [])
    assert.ok(await confirm(person, totp))
  })
})

describe('disabling MFA', () => {
  test('happens when the last authenticator is deleted, which deletes the recovery codes too', async () => {
    const person = await signUp(server, 'off-switch')
    const first = await enrol(person)
    await confirm(person, first)
    const second = await enrol(person, 'Tablet')
    await confirm(person, second)
    await remove(person, second)
    assert.equal((await as(person).readMfa()).enabled, true)
    const removed = await remove(person, first)
    assert.equal(removed.id, first.id)
    assert.deepEqual(await as(person).readMfa(), withoutMfa)
    assert.ok(await signInAgain(person), 'no code is required any more')
    assert.match(await mailsOf(person, 5), /Multi-factor authentication was switched off/)
  })

  test('leaves no recovery codes if the last two authenticators are deleted at once', async () => {
    const person = await signUp(server, 'clean-sweep')
    const both = [await enrol(person), await enrol(person, 'Tablet')]
    for (const totp of both) await confirm(person, totp)
    await Promise.all(both.map((totp) => remove(person, totp)))
    assert.equal((await as(person).readMfa()).recoveryCodes, 0)
  })
})

describe('recovery codes', () => {
  test('can be regenerated, which voids the previous ones', async () => {
    const person = await signUp(server, 'paper-keeper')
    await assertRefused(as(person).regenerateRecoveryCodes(), 'mfa_not_enabled')
    const { recoveryCodes: first = [] } = await confirm(person, await enrol(person))
    const { recoveryCodes: second } = await as(person).regenerateRecoveryCodes()
    assert.equal(new Set([...first, ...second]).size, 20)
    await assertRefused(signInAgain(person, first[3]), 'credentials_wrong')
    assert.ok(await signInAgain(person, second[3]))
    assert.match(await mailsOf(person, 3), /New recovery codes were created/)
  })
})

test('changing authenticators requires a sign-in within the last 10 minutes', async () => {
  const person = await signUp(server, 'left-alone')
  const nextCode = await enableMfa(server, person)
  const [factor] = (await as(person).readMfa()).authenticators
  const params = { id: factor?.id ?? '' }
  server.clock.advance({ minutes: 10, seconds: 1 })
  await assertRefused(enrol(person, 'Stolen'), 'step_up_required')
  await assertRefused(as(person).deleteTotp({ params }), 'step_up_required')
  await assertRefused(as(person).regenerateRecoveryCodes(), 'step_up_required')
  assert.equal((await as(person).readMfa()).enabled, true)

  const back = await signInAgain(person, nextCode())
  assert.ok(await enrol(back, 'Spare'))
  assert.ok(await as(back).regenerateRecoveryCodes())
  assert.ok(await as(back).deleteTotp({ params, body: { code: nextCode() } }))
})

test('every change writes an audit entry with its actor and IP address', async () => {
  const person = await signUp(server, 'well-recorded')
  const totp = await enrol(person, 'Phone')
  await confirm(person, totp)
  await as(person).regenerateRecoveryCodes()
  await remove(person, totp)
  const entries = await auditOf(person.id)
  assert.deepEqual(
    entries.map(({ action, subject }) => `${action} ${subject}`),
    [
      `mfa.create_totp authenticator:${totp.id}`,
      `mfa.confirm_totp authenticator:${totp.id}`,
      `mfa.regenerate_recovery_codes user:${person.id}`,
      `mfa.delete_totp authenticator:${totp.id}`,
    ],
  )
  assert.ok(entries.every(({ ipAddress }) => ipAddress !== null))
})

const auditOf = (userId: string) =>
  database.query
    .selectFrom('auditLog')
    .selectAll()
    .where('actor', '=', `user:${userId}`)
    .where('action', 'like', 'mfa.%')
    .orderBy('at')
    .execute()

test('a sign-in that began before the factors changed opens no session', async () => {
  const person = await signUp(server, 'overtaken')
  const user = await database.query
    .selectFrom('users')
    .selectAll()
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  const lock = () => database.transaction((tx) => lockCredentials(tx, user))
  assert.equal(await lock(), true)
  await enableMfa(server, person)
  assert.equal(await lock(), false)
})
