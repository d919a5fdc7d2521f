import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { limits, type UpdateUser } from '@millseal/contract'
import { dumpOf } from '../../../../test/dump.ts'
import { linkIn, startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { password, signUp, signUpOperator } from '../../../../test/people.ts'
import { assertRefused, outcomesOf, refusal } from '../../../../test/refusal.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer()
})
after(() => server[Symbol.asyncDispose]())

const as = ({ accessToken }: { accessToken: string }) => server.client(accessToken)
const signIn = (login: string) => server.client().login({ body: { username: login, password } })
const open = async (mail: string) => (await fetch(linkIn(mail), { redirect: 'manual' })).status
const update = (who: { accessToken: string }, id: string, body: UpdateUser) =>
  as(who).updateUser({ params: { id }, body })

describe('updating the own account', () => {
  test('changes the username and onBoarded, with or without the id in the body, and writes an audit entry', async () => {
    const person = await signUp(server, 'first-name')
    const changed = await update(person, person.id, {
      id: person.id.toUpperCase(),
      username: 'second-name',
      onBoarded: true,
    })
    assert.equal(changed.username, 'second-name')
    assert.equal(changed.onBoarded, true)
    assert.ok(await signIn('second-name'))
    await assertRefused(signIn('first-name'), 'credentials_wrong')
    assert.equal((await update(person, person.id, { username: 'Second-Name' })).username, 'Second-Name')
    assert.deepEqual(await update(person, person.id, {}), await as(person).readMe())
    const audit = (await dumpOf(server)).get('public.audit_log') ?? ''
    const entries = audit.split('\n').filter((line) => line.includes('users.update'))
    assert.ok(entries.some((line) => line.includes('first-name') && line.includes('second-name')))
    assert.equal(
      entries.filter((line) => line.includes(person.id)).length,
      2,
      'an update without changes writes no entry',
    )
  })

  test('rejects a taken username, another id and an invalid username with 409 or 400', async () => {
    const person = await signUp(server, 'newcomer')
    await signUp(server, 'name-holder')
    await assertRefused(update(person, person.id, { username: 'NAME-holder' }), 'user_exists')
    await assertRefused(update(person, person.id, { id: someId, username: 'whatever' }), 'id_mismatch')
    for (const username of ['abc', 'with@sign', 'with space']) {
      await assertRefused(update(person, person.id, { username }), 'validation_failed')
    }
    assert.equal((await as(person).readMe()).username, 'newcomer')
  })

  test('never changes the role, and lets only operators change the status', async () => {
    const person = await signUp(server, 'climber')
    const body = { role: 'ADMIN', username: 'still-climber' } as UpdateUser
    assert.equal((await update(person, person.id, body)).role, 'USER')
    await assertRefused(update(person, person.id, { status: 'inactive' }), 'role_missing')
    assert.equal((await update(person, person.id, { status: 'active' })).status, 'active')
  })

  test('gives a username to one of two users who request it at once', async () => {
    const one = await signUp(server, 'racer-one')
    const two = await signUp(server, 'racer-two')
    const outcomes = await outcomesOf(
      [one, two].map((person) => update(person, person.id, { username: 'the-winner' })),
    )
    assert.deepEqual(outcomes, { ok: 1, user_exists: 1 })
  })
})

const someId = '0198c0de-0000-7000-8000-000000000000'

describe('changing the e-mail address', () => {
  test('takes effect once the new address is confirmed, notifies the old one, and lets the link be opened twice', async () => {
    const person = await signUp(server, 'mover')
    const email = 'mover@new.example.com'
    const answer = await update(person, person.id, { email })
    assert.equal(answer.email, person.email, 'not before it is confirmed')
    const [mail = ''] = await server.mailsTo(email, 1)
    await assertRefused(signIn(email), 'credentials_wrong')
    assert.equal(await open(mail), 302)
    assert.equal(await open(mail), 302)
    assert.equal((await as(person).readMe()).email, email)
    assert.ok(await signIn(email))
    await assertRefused(signIn(person.email), 'credentials_wrong')
    const [, notice = ''] = await server.mailsTo(person.email, 2)
    assert.match(notice, /^Subject: The e-mail address of your account was changed$/m)
    // Its link for a new password would go to the new address.
    assert.match(notice, /\/auth\/login\?/)
    assert.doesNotMatch(notice, /forgot-password/)
    const audit = (await dumpOf(server)).get('public.audit_log') ?? ''
    assert.ok(audit.split('\n').some((line) => line.includes('users.confirm_email') && line.includes(email)))
  })

  test('voids links mailed to the old address', async () => {
    const person = await signUp(server, 'leaves-a-job')
    await server.client().requestPasswordReset({ params: { email: person.email } })
    const [, reset = ''] = await server.mailsTo(person.email, 2)
    const email = 'leaves-a-job@new.example.com'
    await update(person, person.id, { email })
    const [mail = ''] = await server.mailsTo(email, 1)
    await open(mail)
    assert.equal(await open(reset), 401)
  })

  test('can be replaced or withdrawn before it is confirmed; only the latest link works', async () => {
    const person = await signUp(server, 'undecided')
    await update(person, person.id, { email: 'one@new.example.com' })
    const [first = ''] = await server.mailsTo('one@new.example.com', 1)
    await update(person, person.id, { email: 'two@new.example.com' })
    const [second = ''] = await server.mailsTo('two@new.example.com', 1)
    assert.equal(await open(first), 401)
    await update(person, person.id, { email: person.email })
    assert.equal(await open(second), 401)
    assert.equal((await as(person).readMe()).email, person.email)
  })

  test('is limited to a few addresses an hour, because their owners are strangers', async () => {
    const person = await signUp(server, 'wanderer')
    for (let at = 1; at <= limits.linkMailsPerHour; at += 1) {
      await update(person, person.id, { email: `stranger-${at}@new.example.com` })
      await server.mailsTo(`stranger-${at}@new.example.com`, 1)
    }
    const { status, answer } = await refusal(update(person, person.id, { email: 'stranger@new.example.com' }))
    assert.equal(status, 429)
    assert.match(answer?.details.join() ?? '', /^\/email: .* 6 new addresses an hour$/)
    assert.deepEqual(await server.mailsTo('stranger@new.example.com', 0), [])
    assert.equal((await update(person, person.id, { username: 'settled' })).username, 'settled')
  })

  test('rejects an address of another user, also if it was registered before the confirmation', async () => {
    const person = await signUp(server, 'hopeful')
    const holder = await signUp(server, 'address-holder')
    await assertRefused(update(person, person.id, { email: holder.email.toUpperCase() }), 'user_exists')
    const email = 'contested@example.com'
    await update(person, person.id, { email })
    const [mail = ''] = await server.mailsTo(email, 1)
    await server.client().registerUser({ body: { username: 'contester', email, password } })
    assert.equal(await open(mail), 409)
    assert.equal((await as(person).readMe()).email, person.email)
  })

  test('requires a recent sign-in and a confirmation within a day', async () => {
    const person = await signUp(server, 'slow-mover')
    server.clock.advance({ minutes: 11 })
    const email = 'slow-mover@new.example.com'
    await assertRefused(update(person, person.id, { email }), 'step_up_required')
    assert.ok(
      await update(person, person.id, { email: person.email, onBoarded: true }),
      'the unchanged address needs no sign-in',
    )
    const again = await signIn(person.username)
    await update(again, person.id, { email })
    const [mail = ''] = await server.mailsTo(email, 1)
    server.clock.advance({ days: 1, seconds: 1 })
    assert.equal(await open(mail), 401)
  })
})

describe('updating the account of another user', () => {
  test('lets operators change the username and the status, not the address; other callers get not_found', async () => {
    const person = await signUp(server, 'watched')
    const other = await signUp(server, 'watcher')
    const operator = await signUpOperator(server)
    for (const id of [person.id, someId]) {
      await assertRefused(update(other, id, { onBoarded: true }), 'not_found')
    }
    await assertRefused(update(operator, someId, { onBoarded: true }), 'not_found')
    assert.equal(
      (await refusal(server.client().updateUser({ params: { id: person.id }, body: {} }))).status,
      401,
    )
    assert.equal((await update(operator, person.id, { username: 'renamed-one' })).username, 'renamed-one')
    await assertRefused(update(operator, person.id, { email: 'operator@example.com' }), 'validation_failed')
    await assertRefused(update(operator, operator.id, { status: 'inactive' }), 'validation_failed')
  })

  test('ends all sessions of a deactivated user; activating the user does not restore them', async () => {
    const person = await signUp(server, 'switched-off')
    const operator = await signUpOperator(server)
    assert.equal((await update(operator, person.id, { status: 'inactive' })).status, 'inactive')
    await assertRefused(as(person).readMe(), 'token_invalid')
    await assertRefused(signIn(person.username), 'user_inactive')
    const headers = { refresh: `Bearer ${person.refreshToken}` }
    await assertRefused(server.client().refreshSession({ headers }), 'token_invalid')
    await update(operator, person.id, { status: 'active' })
    await assertRefused(as(person).readMe(), 'token_invalid')
    assert.ok(await as(await signIn(person.username)).readMe())
  })
})
