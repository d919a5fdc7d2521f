import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { dumpOf } from '../../../../test/dump.ts'
import { linkIn, startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { newOwner } from '../../../../test/machines.ts'
import { password, signUp, signUpOperator } from '../../../../test/people.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer()
})
after(() => server[Symbol.asyncDispose]())

const fresh = 'brand new horse battery'
const as = ({ accessToken }: { accessToken: string }) => server.client(accessToken)
const signIn = (username: string, with_ = password) =>
  server.client().login({ body: { username, password: with_ } })
type Body = { readonly password: string; readonly currentPassword?: string }
const change = (who: { accessToken: string }, id: string, body: Body = { password: fresh }) =>
  as(who).changePassword({ params: { id }, body })

describe('changePassword', () => {
  test('ends all sessions except the current one, which can still be refreshed', async () => {
    const person = await signUp(server, 'changer')
    const others = [await signIn(person.username), await signIn(person.username)]
    assert.equal((await change(person, person.id)).id, person.id)
    for (const other of others) {
      await assertRefused(as(other).readMe(), 'token_invalid')
      const headers = { refresh: `Bearer ${other.refreshToken}` }
      await assertRefused(server.client().refreshSession({ headers }), 'token_invalid')
    }
    assert.equal((await as(person).listSessions()).length, 1)
    const headers = { refresh: `Bearer ${person.refreshToken}` }
    const refreshed = await server.client().refreshSession({ headers })
    assert.ok(await as(refreshed).readMe())
    await assertRefused(signIn(person.username), 'credentials_wrong')
    assert.equal((await as(await signIn(person.username, fresh)).listSessions()).length, 2)
  })

  test('ends the session that an earlier change kept', async () => {
    const person = await signUp(server, 'changes-twice')
    await change(person, person.id)
    const later = await signIn(person.username, fresh)
    await change(later, person.id, { password: `${fresh} again` })
    await assertRefused(as(person).readMe(), 'token_invalid')
    assert.ok(await as(later).readMe())
  })

  test('mails the user and writes an audit entry', async () => {
    const person = await signUp(server, 'notified')
    await change(person, person.id)
    const [, notice = ''] = await server.mailsTo(person.email, 2)
    assert.match(notice, /^Subject: Your password was changed$/m)
    assert.equal(notice.match(/password was changed/g)?.length, 4, 'subject, text, title and heading')
    const audit = (await dumpOf(server)).get('public.audit_log') ?? ''
    assert.ok(
      audit.split('\n').some((line) => line.includes('users.change_password') && line.includes(person.id)),
    )
  })

  test('requires a sign-in within the last 10 minutes or the current password', async () => {
    const person = await signUp(server, 'left-desk')
    server.clock.advance({ minutes: 11 })
    await assertRefused(change(person, person.id), 'step_up_required')
    const guess = { password: fresh, currentPassword: 'not the current password' }
    await assertRefused(change(person, person.id, guess), 'step_up_required')
    assert.ok(await signIn(person.username))
    assert.ok(await change(person, person.id, { password: fresh, currentPassword: password }))
  })

  test('rejects a wrong current password even right after a sign-in', async () => {
    const person = await signUp(server, 'mistyped')
    const body = { password: fresh, currentPassword: 'not the current password' }
    await assertRefused(change(person, person.id, body), 'step_up_required')
  })

  test('changes only the caller’s own password, also for operators', async () => {
    const person = await signUp(server, 'unbothered')
    const other = await signUp(server, 'meddler')
    const operator = await signUpOperator(server)
    for (const who of [other, operator]) await assertRefused(change(who, person.id), 'not_found')
    assert.equal((await refusal(server.client().changePassword(bodyFor(person.id)))).status, 401)
    assert.ok(await signIn(person.username))
  })

  test('rejects an invalid password with 400 or 406', async () => {
    const person = await signUp(server, 'picky-one')
    await assertRefused(change(person, person.id, { password: 'short' }), 'validation_failed')
    await assertRefused(change(person, person.id, { password: person.email }), 'password_rejected')
    await assertRefused(change(person, 'not-an-id'), 'validation_failed')
  })

  test('refuses the name of a company of the user, and common passwords', async () => {
    const { admin, company } = await newOwner(server, 'predictable')
    for (const bad of [`${company.name} 1`, 'predictable2026', 'Iloveyou2']) {
      const refused = await refusal(change(admin, admin.id, { password: bad }))
      assert.equal(refused.code, 'password_rejected', bad)
      assert.match(refused.answer?.details.join() ?? '', /^\/password must /)
    }
  })

  test('voids a new address that was requested in a stolen session', async () => {
    const person = await signUp(server, 'nearly-lost')
    const thief = await signIn(person.username)
    const email = 'thief@example.com'
    await as(thief).updateUser({ params: { id: person.id }, body: { email } })
    const [mail = ''] = await server.mailsTo(email, 1)
    await change(person, person.id)
    assert.equal((await fetch(linkIn(mail), { redirect: 'manual' })).status, 401)
    assert.equal((await as(person).readMe()).email, person.email)
  })
})

const bodyFor = (id: string) => ({ params: { id }, body: { password: fresh } })
