import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertNowhere } from '../../test/canaries.ts'
import { dumpOf } from '../../test/dump.ts'
import { linkIn, startOwnServer } from '../../test/test-server.ts'
import { foundCompany, signUp } from '../../test/people.ts'
import { refusal } from '../../test/refusal.ts'

const first = 'correct horse battery'
const second = 'canary-password-number-two'
const third = 'canary-password-number-three'

test('the database, the log and errors contain no password, link or session token of an account, from its creation to its end', async () => {
  await using server = await startOwnServer()
  const secrets = new Map<string, string>([
    ['first password', first],
    ['second password', second],
    ['third password', third],
  ])
  const remember = (name: string, { accessToken, refreshToken = '' }: Tokens) =>
    secrets.set(`access token ${name}`, accessToken).set(`refresh token ${name}`, refreshToken)
  const linkTo = async (address: string, count: number) => {
    const link = linkIn((await server.mailsTo(address, count)).at(-1) ?? '')
    secrets.set(`link ${secrets.size}`, link.searchParams.get('token') ?? 'missing')
    return link
  }

  const person = await signUp(server, 'canary-bird')
  remember('of sign-up', person)
  await linkTo(person.email, 1)
  const refreshed = await server
    .client()
    .refreshSession({ headers: { refresh: `Bearer ${person.refreshToken}` } })
  remember('refreshed', refreshed)
  const client = server.client(refreshed.accessToken)
  await client.changePassword({
    params: { id: person.id },
    body: { password: second, currentPassword: first },
  })
  await server.mailsTo(person.email, 2)
  const email = 'canary-bird@new.example.com'
  await client.updateUser({ params: { id: person.id }, body: { email } })
  await fetch(await linkTo(email, 1), { redirect: 'manual' })
  await server.mailsTo(person.email, 3)
  const company = await foundCompany(server, refreshed)
  await client.updateCompany({ params: { id: company.id }, body: { name: 'Canary Castings' } })
  await server.client().requestPasswordReset({ params: { email } })
  const link = await linkTo(email, 2)
  const opened = await fetch(link, { redirect: 'manual' })
  assert.equal(new URL(opened.headers.get('location') ?? '').href, `${server.url}/reset-password`)
  const token = link.searchParams.get('token') ?? ''
  const wrong = await refusal(
    server.client().resetPassword({ query: { token }, body: { password: third.slice(0, 7) } }),
  )
  await server.client().resetPassword({ query: { token }, body: { password: third } })
  const login = { username: person.username, password: third }
  remember('of sign-in', await server.client().login({ body: login }))
  const last = await server.client().login({ body: login })
  remember('of a session that is robbed', last)
  const headers = { refresh: `Bearer ${last.refreshToken}` }
  remember('of the thief', await server.client().refreshSession({ headers }))
  const thief = { headers: { ...headers, 'user-agent': 'Thief/1.0' } }
  const reused = await refusal(server.client().refreshSession(thief))
  const registered = { username: 'canary-friend', email: 'friend@example.com', password: second }
  await server.client().registerUser({ body: registered, idempotencyKey: randomUUID() })
  await server.mailsTo(email, 4)

  assert.ok(secrets.size >= 14, String(secrets.size))
  const dump = await dumpOf(server)
  for (const table of ['users', 'sessions', 'user_links', 'idempotency', 'audit_log', 'outbox']) {
    assert.ok((dump.get(`public.${table}`) ?? '').length > 0, `${table} was read`)
  }
  assert.ok(
    [...dump.keys()].some((table) => table.startsWith('pgboss.')),
    'the jobs were read',
  )
  assert.ok(
    server.log.some((line) => line.includes('users.reset_password')),
    'the log was read',
  )
  const errors = JSON.stringify([wrong.answer, reused.answer])
  const places = [...dump, ['log', server.log.join('\n')], ['errors', errors]] as const
  assertNowhere(secrets, places)
})

type Tokens = { readonly accessToken: string; readonly refreshToken?: string }
