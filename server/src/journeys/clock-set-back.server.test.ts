import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newApplication, newOwner, tokenOf } from '../../test/machines.ts'
import { codeAt, password, signUp } from '../../test/people.ts'
import { assertRefused } from '../../test/refusal.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer()
})
after(() => server[Symbol.asyncDispose]())

const signIn = (username: string, with_ = password) =>
  server.client().login({ body: { username, password: with_ } })
const readMe = ({ accessToken }: { accessToken: string }) => server.client(accessToken).readMe()
const refresh = ({ refreshToken }: { refreshToken: string }) =>
  server.client().refreshSession({ headers: { refresh: `Bearer ${refreshToken}` } })

const jumps = {
  'ten minutes': { minutes: 10 },
  'three days': { days: 3 },
  '200 days': { days: 200 },
} as const
const back = (by: { minutes?: number; days?: number }) =>
  server.clock.jump({ minutes: -(by.minutes ?? 0), days: -(by.days ?? 0) })

for (const [what, by] of Object.entries(jumps))
  describe(`after the clock was set back by ${what}`, () => {
    test('tokens issued before are refused, also those whose signature was verified, until it has caught up', async () => {
      const name = `before-${what.replaceAll(' ', '-')}`
      const person = await signUp(server, name)
      assert.ok(await readMe(person))
      back(by)
      await assertRefused(readMe(person), 'token_invalid')
      await assertRefused(refresh(person), 'token_invalid')
      assert.ok(await readMe(await signIn(name)))
      server.clock.jump(by)
      assert.ok(await readMe(person))
    })

    test('an application gets a token that is accepted', async () => {
      const owner = await newOwner(server, `owner-${what.replaceAll(' ', '-')}`)
      const application = await newApplication(server, owner)
      const first = await tokenOf(server, application)
      back(by)
      const second = await tokenOf(server, application)
      assert.notEqual(second, first)
      assert.equal(second, await tokenOf(server, application))
      const read = (token: string) => server.client(token).readCompany({ params: { id: owner.company.id } })
      assert.ok(await read(second))
      await assertRefused(read(first), 'token_invalid')
      server.clock.jump(by)
    })

    test('a new password ends the sessions that began before, and their owner can sign in', async () => {
      const name = `robbed-${what.replaceAll(' ', '-')}`
      await signUp(server, name)
      back(by)
      const owner = await signIn(name)
      server.clock.jump(by)
      const thief = await signIn(name)
      back(by)
      const fresh = 'another battery staple'
      const { id } = await readMe(owner)
      const body = { password: fresh, currentPassword: password }
      await server.client(owner.accessToken).changePassword({ params: { id }, body })
      assert.ok(await readMe(await signIn(name, fresh)))
      server.clock.jump(by)
      await assertRefused(readMe(thief), 'token_invalid')
      await assertRefused(refresh(thief), 'token_invalid')
      const later = await signIn(name, fresh)
      back(by)
      await assertRefused(readMe(later), 'token_invalid')
      assert.ok(await readMe(await signIn(name, fresh)))
      server.clock.jump(by)
    })

    test('a sign-in of before is not recent', async () => {
      const name = `recent-${what.replaceAll(' ', '-')}`
      const person = await signUp(server, name)
      const create = ({ accessToken }: { accessToken: string }) =>
        server.client(accessToken).createTotp({ body: { name: 'Phone' } })
      back(by)
      await assertRefused(create(person), 'token_invalid')
      const { id, secret } = await create(await signIn(name))
      const code = codeAt(secret, server.clock.now())
      const again = await signIn(name)
      assert.ok(await server.client(again.accessToken).confirmTotp({ params: { id }, body: { code } }))
      server.clock.jump(by)
    })
  })

test('rate limits count again from now on', async () => {
  await using limited = await startOwnServer({ environment: { MILLSEAL_RATE_LIMIT: '2' } })
  const call = async () =>
    (await fetch(`${limited.url}/api/users/confirm-email?token=${'x'.repeat(43)}`)).status
  assert.deepEqual([await call(), await call(), await call()], [401, 401, 429])
  limited.clock.jump({ days: -3 })
  assert.deepEqual([await call(), await call(), await call()], [401, 401, 429])
})
